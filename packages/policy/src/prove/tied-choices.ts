import type { Fuel } from '@svc/solver/fuel.ts';
import { listAddressCandidates } from '../formula/address-candidates.ts';
import type { Atom } from '../formula/formula.ts';
import { listNamedTexts, listTextChoices, looksIntoTexts } from '../formula/text-choices.ts';
import { listClockCandidates, listDayCandidates } from '../formula/time-candidates.ts';
import { parseAddress } from '../values/address.ts';
import { listWrappedSpellings } from './address-spellings.ts';
import { type Choice, OPEN } from './choice.ts';

const NAME = '^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\\.)*([0-9]*[a-z_]([a-z0-9_-]*[a-z0-9_])?|[0-9]+-[a-z0-9_-]*[a-z0-9_])$';
const FOUR = '^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$';
const SIX = '^\\[[0-9a-f:]+\\]$';

export type TiedValues = Readonly<Record<string, unknown>>;

/** Returns the engine's outcomes for values of several fields; `open` marks unpredictable ones. */
const judgedBy = (atoms: readonly Atom[], values: TiedValues, open: (atom: Atom) => boolean = () => false): number[] =>
  atoms.map((atom) => (open(atom) ? OPEN : atom.judge(values[atom.field.name])));

const real = (atoms: readonly Atom[], values: TiedValues): Choice => ({
  outcomes: judgedBy(atoms, values),
  values,
  tooLong: false,
  mark: '',
});
const unreal = (outcomes: readonly number[]): Choice => ({ outcomes, values: null, tooLong: false, mark: '' });

const conditionsOn = (atoms: readonly Atom[], name: string) =>
  atoms.filter(({ field }) => field.name === name).map(({ condition }) => condition);

/** Combines clock and hour, which depend on each other. */
export const listClockChoices = (atoms: readonly Atom[]): Choice[] => {
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
  const clocks = [...hours.flatMap((hour) => [`${hour}:00`, `${hour}:59`]), ...listClockCandidates(conditionsOn(atoms, 'time.clock'))];
  return clocks.map((clock) => real(atoms, { 'time.clock': clock, 'time.hour': Number(clock.slice(0, 2)) }));
};

const DAY_MS = 86_400_000;
const WEEK = [0, 1, 2, 3, 4, 5, 6];
const LAST_DAY = '9999-12-31';

/** Combines date and weekday: next to each distinguished date, the week after it stands for all dates up to the next. */
export const listDateChoices = (atoms: readonly Atom[]): Choice[] => {
  const named = listDayCandidates(conditionsOn(atoms, 'time.date'));
  const days = ['2026-06-01', ...named].flatMap((day) =>
    WEEK.map((more) => new Date(Date.parse(`${day}T00:00:00.000Z`) + more * DAY_MS).toISOString().slice(0, 10)),
  );
  const getWeekday = (day: string): string => new Date(`${day}T00:00:00.000Z`).toUTCString().slice(0, 3).toUpperCase();
  return days
    .filter((day) => day <= LAST_DAY && day.length === LAST_DAY.length)
    .map((day) => real(atoms, { 'time.date': day, 'time.weekday': getWeekday(day) }));
};

const getLiteral = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip);
const getIp = (host: string): string => (host.startsWith('[') ? host.slice(1, -1) : host);
const isAddress = (host: string): boolean => parseAddress(getIp(host)) !== null;

const PRODUCT_MAX = 1_000_000;

/** Returns hosts that are addresses: real ones for what networks distinguish, and unreal ones if their texts are distinguished too. */
const addressHosts = (atoms: readonly Atom[], hosts: readonly Atom[], fuel: Fuel): Choice[] => {
  const named = listNamedTexts(hosts).filter(isAddress).map(getIp);
  // An address that is named as a host is distinguished from those around it, like a network of its own.
  const apart = listAddressCandidates([...conditionsOn(atoms, 'destination.ip'), { field: 'destination.ip', op: 'in', value: named }]);
  const known = [...new Set([...apart, ...apart.flatMap(listWrappedSpellings), ...named])].map((ip) =>
    real(atoms, { 'destination.host': getLiteral(ip), 'destination.ip': ip }),
  );
  const looking = hosts.filter(looksIntoTexts);
  const found = [FOUR, SIX].map((spelling) => listTextChoices(looking, { spelling }, fuel));
  const ways: (string | null)[] = found.flatMap(({ texts, complete }) => [...texts, ...(complete ? [] : [null])]);
  if (looking.length === 0 || new Set(ways.map((text) => text !== null && looking.map((atom) => atom.judge(text)).join())).size <= 1)
    return known;
  // All combinations of outcomes and addresses are the product of both; if that is too much, texts are left open for each address instead.
  const isMuch = ways.length * known.length * (atoms.length + 10) > PRODUCT_MAX;
  const unforeseen = (isMuch ? [null] : ways).flatMap((text) =>
    known.map(({ outcomes }) =>
      unreal(
        atoms.map((atom, index) => {
          if (atom.field.name === 'destination.ip' || !looksIntoTexts(atom)) return outcomes[index] ?? OPEN;
          return text === null ? OPEN : atom.judge(text);
        }),
      ),
    ),
  );
  return [...known, ...unforeseen];
};

/** Combines host and address: the address is known exactly if the host is one. */
export const listDestinationChoices = (atoms: readonly Atom[], fuel: Fuel): Choice[] => {
  const hosts = atoms.filter(({ field }) => field.name === 'destination.host');
  const names = listTextChoices(hosts, { spelling: NAME }, fuel);
  const missing = real(atoms, { 'destination.host': undefined, 'destination.ip': undefined });
  const named = names.texts.map((host) => real(atoms, { 'destination.host': host, 'destination.ip': undefined }));
  const open = names.complete ? [] : [unreal(judgedBy(atoms, { 'destination.host': 'text' }, looksIntoTexts))];
  return [missing, ...named, ...open, ...addressHosts(atoms, hosts, fuel)].map((choice) => ({
    ...choice,
    mark: choice === missing ? 'missing' : '',
  }));
};
