import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import type { Refused, Stage, StageAnswer } from '../facts/stage.ts';

/** What a person knows of a request that nobody has made. */
export type Supposed = { readonly tool: string | undefined; readonly capability: string | undefined };

/** What the stages before said of a supposed request. */
export type SoFar<Code extends ErrorCode = ErrorCode> = {
  readonly learned: Learned;
  /** The first refusal of a stage that no mode relaxes; what is asked as it stands is not asked after it. */
  readonly hard: Refused<Code> | undefined;
  /** The first refusal of any other stage. */
  readonly soft: Refused<Code> | undefined;
};

/** `skipped` is told in the answer; of `unspoken` it says nothing. */
export type Supposition<Code extends ErrorCode = ErrorCode> =
  | StageAnswer<Code>
  | { readonly outcome: 'skipped'; readonly learned?: Learned }
  | { readonly outcome: 'unspoken'; readonly learned?: Learned };

/** A stage as it is asked about a request of which only a part is known. */
export type Supposing<Code extends ErrorCode = ErrorCode> = (facts: Facts, supposed: Supposed, soFar: SoFar) => Supposition<Code>;

export const SKIPPED = { outcome: 'skipped' } as const;
export const UNSPOKEN = { outcome: 'unspoken' } as const;

/** The stage as it stands, unless an earlier one has refused. */
export const asItStands =
  <Code extends ErrorCode>(stage: Stage<Code>): Supposing<Code> =>
  (facts, _supposed, { learned, hard }) =>
    hard === undefined ? stage.check(facts, learned) : UNSPOKEN;
