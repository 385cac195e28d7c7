import type { FieldCondition, PolicyCondition } from '@svc/contract/policies/language.ts';
import { ENVIRONMENT_TYPES, MODES, PRINCIPAL_TYPES, RISK_RATINGS, TOOL_KINDS } from '@svc/contract/tables/vocabulary.ts';
import ipaddr from 'ipaddr.js';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { parseAddress } from '../values/address.ts';
import { ADDRESSES, AGENTS, type Draw, HOSTS, NAMES, pick } from './adversarial-questions.fixture.ts';

/** Values in the conditions on a field, whole or in pieces. */
export type NamedValues = ReadonlyMap<string, readonly unknown[]>;

const findConditions = (when: PolicyCondition | undefined): FieldCondition[] => {
  if (when === undefined || Object.keys(when).length === 0) return [];
  if ('all' in when) return when.all.flatMap(findConditions);
  if ('any' in when) return when.any.flatMap(findConditions);
  if ('any_element' in when) return findConditions(when.any_element.meets);
  return 'not' in when ? findConditions(when.not) : [when as FieldCondition];
};

export const collectNamedValues = (whens: readonly (PolicyCondition | undefined)[]): NamedValues => {
  const named = new Map<string, unknown[]>();
  for (const { field, value } of whens.flatMap(findConditions)) named.set(field, [...(named.get(field) ?? []), ...[value].flat()]);
  return named;
};

const spellingsOfFour = (address: ipaddr.IPv4): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = address.toByteArray();
  const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const four = address.toString();
  const mapped = [`::ffff:${four}`, `::ffff:${hex}`, `::FFFF:${hex.toUpperCase()}`, `0:0:0:0:0:ffff:${four}`, `::${four}`];
  const translated = [`64:ff9b::${hex}`, `64:ff9b::${four}`, `2002:${hex}::`, `64:ff9b:1::${hex}`, `0064:FF9B:0:0:0:0:${hex}`];
  const zoned = [`::ffff:${four}%eth0`, `::ffff:${hex}%1`, `::ffff:${hex}%${'z'.repeat(9000)}`];
  return [four, ...mapped, ...translated, ...zoned, `${four}.`, ` ${four}`, `0${four}`, `[::ffff:${hex}]`];
};

const spellingsOfSix = (address: ipaddr.IPv6): string[] => {
  const short = address.toRFC5952String();
  const padded = address.parts.map((part) => part.toString(16).padStart(4, '0')).join(':');
  const zoned = [`${short}%eth0`, `${short}%a`, `${short}%${'q'.repeat(9000)}`, `${address.toNormalizedString()}%b`];
  return [short, short.toUpperCase(), address.toNormalizedString(), padded, `[${short}]`, ...zoned];
};

/** Returns encodings of one address, some of them invalid. */
const listSpellings = (text: string): string[] => {
  const address = parseAddress(text.split('/')[0] ?? '');
  if (address === null) return [text];
  return address.kind() === 'ipv4' ? spellingsOfFour(address as ipaddr.IPv4) : spellingsOfSix(address as ipaddr.IPv6);
};

const near = (draw: Draw, text: string): string => {
  const address = parseAddress(text.split('/')[0] ?? '');
  if (address === null || draw(2) === 0) return text;
  const bytes = address.toByteArray();
  const last = bytes.length - 1;
  bytes[last] = ((bytes[last] ?? 0) + pick(draw, [1, 2, 3, 255])) % 256;
  return ipaddr.fromByteArray(bytes).toString();
};

const SOURCES = ADDRESSES.filter((one) => parseAddress(one) !== null);
const WORDS = ['', 'a', 'ab', 'b', 'K', 'k', 'ſ', 'a\nb', '[', '10.0.0.1', ...ADDRESSES];

/** Draws a text close to the named ones: one of them, changed, joined, padded or encoded differently. */
const textNear = (draw: Draw, named: readonly unknown[]): string => {
  const texts = named.filter((one) => typeof one === 'string').map((one) => one.replace(/[\^$\\()[\]]/g, ''));
  const one = draw(6) === 0 || texts.length === 0 ? pick(draw, WORDS) : pick(draw, texts);
  const other = draw(2) === 0 || texts.length === 0 ? pick(draw, WORDS) : pick(draw, texts);
  switch (draw(10)) {
    case 0:
      return `${one}${other}`;
    case 1:
      return `${one}${'y'.repeat(9000)}${other}`;
    case 2:
      return one.toUpperCase();
    case 3:
      return `${one}-${other}`;
    case 4:
    case 5:
    case 6:
      return pick(draw, listSpellings(near(draw, one)));
    default:
      return one;
  }
};

const numberNear = (draw: Draw, named: readonly unknown[]): number => {
  const numbers = named.filter((one) => typeof one === 'number');
  const one = numbers.length === 0 ? pick(draw, [0, 1, 0.5]) : pick(draw, numbers);
  const near = pick(draw, [
    one,
    -one,
    one + 1,
    one - 1,
    one + 0.5,
    one * (1 + 2 ** -52),
    one * (1 - 2 ** -53),
    one / 2,
    one * 2,
    2 ** 53 + 2,
  ]);
  return Number.isFinite(near) ? near : one;
};

const jsonNear = (draw: Draw, named: readonly unknown[], depth = 0): unknown => {
  switch (draw(depth > 1 ? 9 : 12)) {
    case 0:
      return pick(draw, [null, true, false, {}, []]);
    case 1:
    case 2:
      return numberNear(draw, named);
    case 9:
      return Array.from({ length: draw(4) }, () =>
        draw(2) === 0 && named.length > 0 ? pick(draw, named) : jsonNear(draw, named, depth + 1),
      );
    case 10:
    case 11:
      return Object.fromEntries(['k', 'y', 'm', '0'].filter(() => draw(2) === 0).map((key) => [key, jsonNear(draw, named, depth + 1)]));
    default:
      return textNear(draw, named);
  }
};

const wholeNear = (draw: Draw, named: readonly unknown[], most = Number.MAX_SAFE_INTEGER): number =>
  Math.min(most, Math.max(0, Math.trunc(numberNear(draw, named))));

const hostNear = (draw: Draw, named: readonly unknown[]): string => {
  const text = draw(2) === 0 ? pick(draw, HOSTS) : textNear(draw, named);
  const address = pick(draw, listSpellings(near(draw, text.replace(/[[\]]/g, '').split('/')[0] ?? '')));
  const tried = draw(2) === 0 && parseAddress(address) !== null ? (address.includes(':') ? `[${address}]` : address) : text;
  const host = URL.parse(`http://${tried}/`)?.hostname ?? 'example.org';
  return host.startsWith('[') || /^((?!-)[a-z0-9_-]{1,63}(?<!-)\.)*(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(host) ? host : 'example.org';
};

type On = (...names: string[]) => unknown[];
type Part = Record<string, unknown>;

/** Draws one moment, as its date, weekday, clock and hour. */
const timeNear = (draw: Draw, on: On): Part => {
  const days = ['0001-01-01', ...on('time.date')].filter((day) => typeof day === 'string');
  const date = pick(draw, days);
  const day = new Date(Date.parse(`${date}T00:00:00Z`) + (draw(19) - 9) * 86_400_000);
  const shown = day.getUTCFullYear() >= 1 && day.getUTCFullYear() <= 9999 ? day : new Date(`${date}T00:00:00Z`);
  const minute = pick(draw, [0, 359, 360, 361, 749, 750, 751, 1319, 1320, 1439, draw(1440)]);
  const hour = Math.floor(minute / 60);
  return {
    date: shown.toISOString().slice(0, 10),
    weekday: shown.toUTCString().slice(0, 3).toUpperCase(),
    clock: `${String(hour).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
    hour,
  };
};

const destinationNear = (draw: Draw, on: On): Part => {
  const host = hostNear(draw, on('destination.host', 'destination.ip'));
  const isAddress = host.startsWith('[') || /(^|\.)[0-9]+$/.test(host);
  const port = wholeNear(draw, on('destination.port'), 65_535);
  return { host, port, ...(isAddress ? { ip: host.replace(/[[\]]/g, '') } : {}) };
};

const parametersNear = (draw: Draw, named: readonly unknown[]): Part => {
  const keys = ['x', 'l', 'z'].filter(() => draw(5) > 0);
  const parameters: Part = Object.fromEntries(keys.map((key) => [key, draw(2) === 0 ? textNear(draw, named) : jsonNear(draw, named)]));
  const elements = () => Array.from({ length: draw(4) }, () => (draw(2) === 0 ? { k: jsonNear(draw, named) } : jsonNear(draw, named)));
  return draw(2) === 0 ? { ...parameters, l: elements() } : parameters;
};

/** Draws who requests what; an agent that requests for itself is the acting agent, and holds the capability of the request. */
const askerNear = (draw: Draw, on: On): Part => {
  const id = pick(draw, AGENTS);
  const type = pick(draw, PRINCIPAL_TYPES);
  const capability = pick(draw, NAMES);
  return {
    principal: { type, id: type === 'AGENT' ? id : pick(draw, ['usr_1', ...AGENTS]) },
    agent: {
      id,
      name: textNear(draw, on('agent.name')).slice(0, 120),
      labels: {
        ...(draw(3) === 0 ? {} : { team: textNear(draw, on('agent.labels.team')).slice(0, 200) }),
        ...(draw(3) === 0 ? {} : { 'a.b': 'a' }),
      },
      capabilities: [...new Set([capability, ...NAMES.filter(() => draw(3) === 0)])],
      created_days: wholeNear(draw, on('agent.created_days')),
    },
    tool: {
      name: pick(draw, NAMES),
      capability,
      risk_rating: pick(draw, RISK_RATINGS),
      dangerous: draw(2) === 0,
      kind: pick(draw, TOOL_KINDS),
    },
    capability,
  };
};

const CURRENCIES = ['EUR', 'USD'];

/**
 * Draws a request as the gateway passes it to the engine: dependent members are consistent, everything else is as adversarial as possible.
 */
export const requestNear = (draw: Draw, named: NamedValues): PolicyContext => {
  const on: On = (...names) => names.flatMap((name) => named.get(name) ?? []);
  const inParameters = [...named].flatMap(([name, values]) => (name.startsWith('parameters') ? values : []));
  const maybe = (make: () => Part): Part => (draw(3) === 0 ? {} : make());
  const amount = wholeNear(draw, on('amount'));
  const inEach = (make: () => number) => new Map(CURRENCIES.map((code) => [code, make()]));
  const sum = () => wholeNear(draw, on('velocity.amount_24h'));
  return {
    ...askerNear(draw, on),
    environment: { type: pick(draw, ENVIRONMENT_TYPES), mode: pick(draw, MODES) },
    workspace: { id: 'wsp_01J8Z3V7Q2N4M6K8P0R2T4W6Y8' },
    // Zero is zero in every currency, and no other amount is.
    ...maybe(() => ({
      amount,
      amounts: inEach(() => (amount === 0 ? 0 : Math.max(1, wholeNear(draw, on('amount'))))),
      currency: pick(draw, ['EUR', 'USD', 'GBP']),
    })),
    parameters: parametersNear(draw, inParameters),
    ...maybe(() => ({ destination: destinationNear(draw, on) })),
    ...maybe(() => ({
      delegation: {
        depth: wholeNear(draw, on('delegation.depth')),
        root_principal: textNear(draw, on('delegation.root_principal')).slice(0, 60),
      },
    })),
    approval: { present: draw(2) === 0 },
    time: timeNear(draw, on),
    ...maybe(() => ({ request: { source_ip: pick(draw, SOURCES), sdk_name: textNear(draw, on('request.sdk_name')).slice(0, 120) } })),
    velocity: { calls_1m: wholeNear(draw, on('velocity.calls_1m'), 1_000_000), amount_24h: sum() },
    velocity_amounts: inEach(sum),
  } as PolicyContext;
};
