import type { ParsedResponse } from './answer.ts';
import type { JobReport, LoadJob } from './job.ts';
import { type Lane, openLane } from './lane.ts';
import { getPercentile } from './numbers.ts';

/** Results of all lanes of one job. */
type Tally = { readonly tookMs: number[]; wrong: number; complaint: string | null; sample: Buffer; sampleHeadLength: number };

const note = (tally: Tally, answer: ParsedResponse, bytes: Buffer, tookMs: number, isLast: boolean): void => {
  tally.tookMs.push(tookMs);
  if (!answer.ok) {
    tally.wrong += 1;
    tally.complaint ??= bytes.toString('utf8');
  }
  if (!isLast) return;
  tally.sample = Buffer.from(bytes);
  tally.sampleHeadLength = answer.headLength;
};

let numbered = 0;

/** Finds the position of the number in a request once; the returned function writes the next number there. */
const numberer = (unique: string | undefined): ((request: Uint8Array) => void) => {
  if (unique === undefined) return () => undefined;
  const places = new Map<Uint8Array, number>();
  return (request) => {
    const bytes = Buffer.from(request.buffer, request.byteOffset, request.length);
    const place = places.get(request) ?? bytes.indexOf(unique);
    places.set(request, place);
    numbered += 1;
    bytes.write(String(numbered).padStart(unique.length, '0'), place, 'latin1');
  };
};

type Requests = {
  readonly list: readonly Uint8Array[];
  readonly until: number | undefined;
  readonly number: (request: Uint8Array) => void;
};

const drive = (lane: Lane, { list, until, number }: Requests, tally: Tally): Promise<void> =>
  new Promise((resolve) => {
    let next = 0;
    const send = (): void => {
      const request = list[next % list.length];
      const isOver = until === undefined ? next === list.length : performance.now() >= until;
      if (request === undefined || isOver) {
        resolve();
        return;
      }
      next += 1;
      number(request);
      const sentAt = performance.now();
      lane.ask(request, (answer, bytes) => {
        const now = performance.now();
        note(tally, answer, bytes, now - sentAt, until === undefined ? next === list.length : now >= until);
        send();
      });
    };
    send();
  });

/** Opens the connections first, then runs them all concurrently to their end. */
export const runJob = async (job: LoadJob): Promise<JobReport> => {
  const broken = Promise.withResolvers<never>();
  const proof = Buffer.from(job.proof);
  const lanes = await Promise.race([Promise.all(job.lanes.map(() => openLane(job.port, proof, broken.reject))), broken.promise]);
  const tally: Tally = { tookMs: [], wrong: 0, complaint: null, sample: Buffer.alloc(0), sampleHeadLength: 0 };
  const startedAt = performance.now();
  const until = job.forMs === undefined ? undefined : startedAt + job.forMs;
  const number = numberer(job.unique);
  const driven = lanes.map((lane, index) => drive(lane, { list: job.lanes[index] ?? [], until, number }, tally));
  await Promise.race([Promise.all(driven), broken.promise]);
  const tookMs = performance.now() - startedAt;
  for (const lane of lanes) lane.close();
  const sorted = Float64Array.from(tally.tookMs).sort();
  const { wrong, complaint, sample, sampleHeadLength } = tally;
  return {
    answered: sorted.length,
    wrong,
    complaint,
    tookMs,
    p50Ms: getPercentile(sorted, 0.5),
    p99Ms: getPercentile(sorted, 0.99),
    sample,
    sampleHeadLength,
  };
};
