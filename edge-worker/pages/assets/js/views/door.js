// The door step: a check that can be done by anybody. The ways shown are equal; each works by keyboard alone, none has
// to be seen, none has a deadline, and all can be tried again.

import { fill, h, setText } from '../dom.js';
import { mailCode } from '../door.js';
import { t } from '../i18n.js';
import { explain } from '../problems.js';
import { startWork } from '../work.js';
import { turnstileWidget } from './turnstile.js';

/** @param {string} base the event's address */
export function doorView(base) {
  const note = h('p', { role: 'status' });
  const trouble = h('p', { class: 'bad', role: 'alert', hidden: true });
  const body = h('div', { class: 'door-ways' });
  const title = h('h3', { tabindex: '-1' }, t('door.title'));
  const step = h('div', { class: 'door', hidden: true }, title, trouble, body);
  const el = h('div', {}, note, step);
  /** Ends the work that one of the ways has begun. */
  let stop = () => {};

  /** Resolves to a proof, however the fan comes by it. */
  function check(problem) {
    return new Promise((resolve) => {
      const done = (proof) => {
        stop();
        step.hidden = true;
        resolve(proof);
      };
      stop();
      say(problem.why ? t(`door.failed.${problem.why}`) : '');
      setText(note, '');
      fill(body, ways(problem, done));
      step.hidden = false;
      title.focus();
    });
  }

  function ways(problem, done) {
    const parts = problem.ways.map((way) => ({
      turnstile: () => turnstileWidget(problem.turnstile, done),
      work: () => {
        const work = workWay(problem.work, done);
        stop = work.stop;
        return work.el;
      },
      mail: () => mailWay(done),
    })[way]?.()).filter(Boolean);
    return parts.flatMap((part, at) => (at ? [h('p', { class: 'quiet' }, t('door.or')), part] : [part]));
  }

  function mailWay(done) {
    const mail = h('input', { id: 'door-mail', type: 'email', required: true, autocomplete: 'email', maxlength: '254' });
    const code = h('input', { id: 'door-code', inputmode: 'numeric', required: true, autocomplete: 'one-time-code', maxlength: '12' });
    const box = h('div', {}, form('door.mail', mail, 'door.mail_send', ask));

    async function ask() {
      try {
        const ticket = await mailCode(base, mail.value.trim());
        fill(box, form('door.code', code, 'door.code_send', () => done({ mail: { ticket, code: code.value.trim() } })));
        code.focus();
      } catch (error) {
        say(explain(error));
      }
    }
    return box;
  }

  function say(text) {
    setText(trouble, text);
    trouble.hidden = !text;
  }

  /** Why it takes a moment; the fan need not do anything. */
  function wait(error) {
    setText(note, t(error.problem?.stamp ? 'door.busy' : error.code === 'SLOW_DOWN' ? 'door.slow' : 'door.wait'));
  }

  function over() {
    stop();
    setText(note, '');
    step.hidden = true;
  }
  return { el, check, wait, over };
}

function form(label, field, send, onsubmit) {
  const submit = (event) => {
    event.preventDefault();
    onsubmit();
  };
  return h('form', { class: 'sign-in', onsubmit: submit }, h('label', { for: field.id }, t(label)), field, h('button', { class: 'button' }, t(send)));
}

/** Runs by itself; can be paused. */
function workWay(work, done) {
  const bar = h('progress', { max: String(work.parts), value: '0', 'aria-label': t('door.work_progress') });
  let paused = false;
  const running = startWork(work, (parts) => { bar.value = parts; });
  const pause = h('button', { type: 'button', class: 'link', onclick: () => {
    paused = !paused;
    running.pause(paused);
    setText(pause, t(paused ? 'door.work_resume' : 'door.work_pause'));
  } }, t('door.work_pause'));
  running.answer.then((answer) => answer && done({ work: { riddle: work.riddle, answer } }));
  return { el: h('div', { class: 'door-work' }, h('p', {}, t('door.work')), bar, pause), stop: running.stop };
}
