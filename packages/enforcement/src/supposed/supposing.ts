import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import type { Refused, Stage, StageAnswer } from '../facts/stage.ts';

/** Known facts about a supposed request. */
export type Supposed = { readonly tool: string | undefined; readonly capability: string | undefined };

/** Results of earlier stages for a supposed request. */
export type SoFar<Code extends ErrorCode = ErrorCode> = {
  readonly learned: Learned;
  /** The first refusal of a stage that no mode relaxes; later stages that need it are not checked. */
  readonly hard: Refused<Code> | undefined;
  /** The first refusal of any other stage. */
  readonly soft: Refused<Code> | undefined;
};

/** `skipped` is reported in the response; `unspoken` is not mentioned. */
export type Supposition<Code extends ErrorCode = ErrorCode> =
  | StageAnswer<Code>
  | { readonly outcome: 'skipped'; readonly learned?: Learned }
  | { readonly outcome: 'unspoken'; readonly learned?: Learned };

/** A stage for a request of which only a part is known. */
export type Supposing<Code extends ErrorCode = ErrorCode> = (facts: Facts, supposed: Supposed, soFar: SoFar) => Supposition<Code>;

export const SKIPPED = { outcome: 'skipped' } as const;
export const UNSPOKEN = { outcome: 'unspoken' } as const;

/** Runs the stage as it is, unless an earlier one has refused. */
export const asItStands =
  <Code extends ErrorCode>(stage: Stage<Code>): Supposing<Code> =>
  (facts, _supposed, { learned, hard }) =>
    hard === undefined ? stage.check(facts, learned) : UNSPOKEN;
