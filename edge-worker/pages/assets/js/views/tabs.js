// Tabs after the ARIA pattern: arrow keys move, only the chosen tab is in the tab order.

import { h } from '../dom.js';

/** @param {string} label @param {{id: string, label: string, el: HTMLElement}[]} entries */
export function tabs(label, entries) {
  const buttons = entries.map(({ id, label: text }) => h('button', {
    type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, class: 'tab', onclick: () => choose(id), onkeydown: key,
  }, text));
  const panels = entries.map(({ id, el }) => h('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, class: 'panel' }, el));

  function choose(id) {
    entries.forEach((entry, i) => {
      const on = entry.id === id;
      buttons[i].setAttribute('aria-selected', String(on));
      buttons[i].tabIndex = on ? 0 : -1;
      panels[i].hidden = !on;
    });
  }
  function key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (buttons.indexOf(event.currentTarget) + step + entries.length) % entries.length;
    choose(entries[next].id);
    buttons[next].focus();
  }
  choose(entries[0].id);
  return { el: h('div', { class: 'tabs' }, h('div', { role: 'tablist', 'aria-label': label, class: 'tablist' }, buttons), panels), choose };
}
