import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { TimingCase, TimingRequest } from './doors.ts';
import type { TimingScene } from './scene.ts';

export type Side = 'known' | 'unknown';
const SIDES: readonly Side[] = ['known', 'unknown'];

type Told = { readonly ms: number; readonly status: number | undefined; readonly headers: IncomingHttpHeaders; readonly text: string };

const ask = (agent: Agent, base: string, { method = 'POST', path, body, token }: TimingRequest): Promise<Told> =>
  new Promise((resolve, reject) => {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    };
    const startedAt = performance.now();
    const asked = request(`${base}${path}`, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ ms: performance.now() - startedAt, status: response.statusCode, headers: response.headers, text }),
      );
    });
    asked.on('error', reject).end(content);
  });

/** Returns a response without what always differs. */
const comparable = ({ status, headers, text }: Told): string => {
  const plain = text.replace(/\b(req|inv)_[0-9A-HJKMNP-TV-Z]{26}/g, '$1').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  return `${status} ${Object.keys(headers).sort()} ${plain.replace(/[\w-]+@[\w.]+/g, 'address')}`;
};

export type TimingSamples = Readonly<Record<Side, readonly number[]>> & { readonly faults: readonly string[] };

type Terms = { readonly from: number; readonly tries: number; readonly warmUp: number };

const FORGET_EVERY = 40;

/** Sends both kinds alternately, in random order, so that load affects both equally. `warmUp` numbers precede the measurement. */
export const measure = async (scene: TimingScene, door: TimingCase, { from, tries, warmUp }: Terms): Promise<TimingSamples> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: Record<Side, number[]> = { known: [], unknown: [] };
  const faults = new Set<string>();
  await scene.forget();
  await door.prepare?.(scene, from, from + tries + warmUp);
  for (let n = from; n < from + tries + warmUp; n += 1) {
    if ((n - from) % FORGET_EVERY === FORGET_EVERY - 1 && door.prepare === undefined) await scene.forget();
    const told = new Map<Side, Told>();
    for (const side of Math.random() < 0.5 ? SIDES : SIDES.toReversed())
      told.set(side, await ask(agent, scene.planes.controlUrl, door[side](n, scene)));
    const [known, unknown] = [told.get('known'), told.get('unknown')];
    if (!known || !unknown) continue;
    if (known.status === 429 || unknown.status === 429) faults.add(`a bound was met: ${known.text} ${unknown.text}`);
    if (door.differs === undefined && comparable(known) !== comparable(unknown))
      faults.add(`told apart: ${comparable(known)} and ${comparable(unknown)}`);
    if (n < from + warmUp) continue;
    times.known.push(known.ms);
    times.unknown.push(unknown.ms);
  }
  agent.destroy();
  return { ...times, faults: [...faults] };
};

const middle = (times: readonly number[]): number => {
  const sorted = times.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] ?? Number.NaN) : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2;
};

const PART_MAX = 0.05;
const DIFFERENCE_MS_MAX = 1;

export type TimingVerdict = { readonly known: number; readonly unknown: number; readonly part: number; readonly isAlike: boolean };

/** Returns the medians of both, and whether they are within 5 % and within a millisecond. */
export const judge = ({ known, unknown, faults }: TimingSamples): TimingVerdict => {
  const medians = { known: middle(known), unknown: middle(unknown) };
  const difference = Math.abs(medians.known - medians.unknown);
  const part = difference / Math.max(medians.known, medians.unknown);
  return { ...medians, part, isAlike: faults.length === 0 && part <= PART_MAX && difference <= DIFFERENCE_MS_MAX };
};
