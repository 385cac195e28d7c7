import { type GovernanceError, isGovernanceError } from '../wire/errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: functions of every framework
export type AnyFunction = (...args: any[]) => any;
export type MakeGuard = (fn: AnyFunction) => AnyFunction;

/** Guards a function and returns a refusal as a value that the framework shows to its model. Errors of the function itself are thrown. */
export const answerRefusals =
  (makeGuard: MakeGuard, fn: AnyFunction, toResult: (refusal: GovernanceError) => unknown): AnyFunction =>
  async (...args) => {
    const own: { error?: unknown } = {};
    const guarded = makeGuard(async (...given) => {
      try {
        return await fn(...given);
      } catch (error) {
        own.error = error;
        throw error;
      }
    });
    try {
      return await guarded(...args);
    } catch (error) {
      if (!isGovernanceError(error) || error === own.error) throw error;
      return toResult(error);
    }
  };

/** Returns the result of a refused MCP call. */
export const findMcpRefusal = (refusal: GovernanceError) => ({ isError: true, content: [{ type: 'text', text: refusal.forModel }] });

/** A generator runs after the guarded call has returned, so it cannot be guarded. */
export const refuseGenerator = (name: string, fn: AnyFunction): void => {
  const kind: string = fn.constructor?.name ?? '';
  if (kind.endsWith('GeneratorFunction'))
    throw new TypeError(`The tool ${name} is a generator, which cannot be guarded: return its result.`);
};
