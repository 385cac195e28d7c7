import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';

/** An organization has as many of something as it may: of what, how many there would be, how many there may be, and what to do about it. */
export const createFullRefusal = (of: string, wouldBe: number, most: number, message: string): Refusal<'UNPROCESSABLE'> =>
  buildRefusal('UNPROCESSABLE', message, { in_organization: { [of]: wouldBe }, most: { [of]: most } });
