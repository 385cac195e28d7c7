import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';

/** An organization has as many of something as it may: of what, how many there would be, how many there may be, and what to do about it. */
export const fullRefusal = (of: string, wouldBe: number, most: number, message: string): Refusal<'UNPROCESSABLE'> =>
  refusal('UNPROCESSABLE', message, { in_organization: { [of]: wouldBe }, most: { [of]: most } });
