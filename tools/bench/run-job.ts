import type { Answer } from './answer.ts';
import type { Job, JobReport } from './job.ts';
import { type Lane, openLane } from './lane.ts';
import { percentile } from './numbers.ts';

/** What all lanes of one job have seen. */
type Tally = { readonly tookMs: number[]; wrong: number; complaint: string | null; sample: Buffer; sampleHeadLength: number };

const note = (tally: Tally, answer: Answer, bytes: Buffer, tookMs: number, isLast: boolean): void => {
  tally.tookMs.push(tookMs);
  if (!answer.ok) {
    tally.wrong += 1;
    tally.complaint ??= bytes.toString('utf8');
  }
  if (!isLast) return;
  tally.sample = Buffer.from(bytes);
  tally.sampleHeadLength = answer.headLength;
};

const drive = (lane: Lane, requests: readonly Uint8Array[], until: number | undefined, tally: Tally): Promise<void> =>
  new Promise((resolve) => {
    let next = 0;
    const send = (): void => {
      const request = requests[next % requests.length];
      const isOver = until === undefined ? next === requests.length : performance.now() >= until;
      if (request === undefined || isOver) {
        resolve();
        return;
      }
      next += 1;
      const sentAt = performance.now();
      lane.ask(request, (answer, bytes) => {
        const now = performance.now();
        note(tally, answer, bytes, now - sentAt, until === undefined ? next === requests.length : now >= until);
        send();
      });
    };
    send();
  });

/** Opens the connections first, then runs them all at once to their end. */
export const runJob = async (job: Job): Promise<JobReport> => {
  const broken = Promise.withResolvers<never>();
  const proof = Buffer.from(job.proof);
  const lanes = await Promise.race([Promise.all(job.lanes.map(() => openLane(job.port, proof, broken.reject))), broken.promise]);
  const tally: Tally = { tookMs: [], wrong: 0, complaint: null, sample: Buffer.alloc(0), sampleHeadLength: 0 };
  const startedAt = performance.now();
  const until = job.forMs === undefined ? undefined : startedAt + job.forMs;
  await Promise.race([Promise.all(lanes.map((lane, index) => drive(lane, job.lanes[index] ?? [], until, tally))), broken.promise]);
  const tookMs = performance.now() - startedAt;
  for (const lane of lanes) lane.close();
  const sorted = Float64Array.from(tally.tookMs).sort();
  const { wrong, complaint, sample, sampleHeadLength } = tally;
  return {
    answered: sorted.length,
    wrong,
    complaint,
    tookMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    sample,
    sampleHeadLength,
  };
};
