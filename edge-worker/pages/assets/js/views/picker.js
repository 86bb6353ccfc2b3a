// Choosing: the map, the list, or the machine ("best seats"), with one basket below them all.

import { announce, fill, h, show } from '../dom.js';
import { t } from '../i18n.js';
import { Choice } from '../choice.js';
import { seatName, seatWithPrice } from '../describe.js';
import { seatId, seatNumber } from '../map/layout.js';
import { seatList } from '../map/list.js';
import { seatMap } from '../map/seat-map.js';
import { explain } from '../problems.js';
import { basket } from './basket.js';
import { quickPick } from './quick.js';
import { tabs } from './tabs.js';

/** @param {object} ctx @param {{taken: () => void, tell: (text: string) => void, nothing: () => void}} on nothing: what was asked for is not to be had */
export function picker(ctx, on) {
  const { layout, states, event } = ctx;
  const choice = new Choice(states, event.max_per_account);
  const describe = (seat) => seatWithPrice(layout, event, seat) + (states.of[seat] === 0 ? '' : `, ${t('seat.taken')}`);
  const parts = { layout, states, choice, describe, onToggle };
  const map = seatMap(parts);
  const list = seatList({ ...parts, describe: (seat) => seatWithPrice(layout, event, seat) });
  const quick = quickPick(ctx, choice, take);
  const cart = basket(ctx, choice, () => take(wish()));
  const views = tabs(t('pick.how'), [
    { id: 'map', label: t('pick.map'), el: map.el },
    { id: 'list', label: t('pick.list'), el: list.el },
    { id: 'quick', label: t('pick.quick'), el: quick.el },
  ]);
  const el = h('div', { class: 'picker' }, h('div', { class: 'picker-main' }, views.el), cart.el);
  let mounted = false;
  if (states.version === null) views.choose('quick');

  function onToggle(result, seat) {
    const text = { limit: t('pick.limit', { n: choice.limit }), taken: t('pick.taken', { seat: seatName(layout, seat) }) }[result];
    if (text) on.tell(text);
    else {
      on.tell('');
      announce(t(result === 'added' ? 'pick.added' : 'pick.removed', { seat: seatName(layout, seat), n: choice.count }));
    }
  }

  const wish = () => ({
    seats: [...choice.seats].map((seat) => withType(seatId(layout, seat), choice.types.get(seat))),
    pools: [...choice.pools.values()].map(({ pool, type, quantity }) => ({ pool, quantity, type: type ?? undefined })),
  });

  /** Asks for the hold; a refusal that names seats marks them and keeps the rest chosen. */
  async function take(body) {
    cart.busy(true);
    try {
      await ctx.holds.take(withoutEmpty(body));
      choice.clear();
      on.tell('');
      on.taken();
    } catch (error) {
      refused(error);
    } finally {
      cart.busy(false);
    }
  }

  function refused(error) {
    if (error.code === 'HOLD_EXISTS' && ctx.holds.current) {
      on.tell(t('pick.hold_exists'));
      return on.taken();
    }
    if (error.code === 'WAITING_LIST' || error.code === 'NONE_TOGETHER') on.nothing();
    const seats = (error.problem.seats ?? []).map((id) => seatNumber(layout, id)).filter((seat) => seat >= 0);
    const names = seats.map((seat) => seatName(layout, seat)).join('; ');
    if (error.code === 'ORPHAN_SEATS') {
      choice.mark(seats);
      map.showSeats(seats);
      if (seats.length) list.showSeat(seats[0]);
    }
    if (error.code !== 'SEATS_TAKEN') return on.tell(explain(error, { names, n: seats.length }));
    states.markTaken(seats);
    choice.dropTaken();
    statesChanged();
    map.showSeats(seats);
    return on.tell(t('pick.seats_taken', { n: seats.length, seats: names }));
  }

  function statesChanged() {
    const gone = choice.dropTaken();
    if (gone.length) on.tell(t('pick.seats_taken', { n: gone.length, seats: gone.map((seat) => seatName(layout, seat)).join('; ') }));
    map.statesChanged();
    list.statesChanged();
    quick.statesChanged();
  }

  function shown() {
    if (!mounted) map.mount();
    mounted = true;
    map.redraw();
    show(el, true);
    fill(cart.el, cart.nodes());
  }
  return { el, statesChanged, shown };
}

const withoutEmpty = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => !Array.isArray(value) || value.length > 0));
const withType = (seat, type) => (type ? { seat, type } : seat);
