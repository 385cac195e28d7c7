import { findNonJson } from '../act/non-json.ts';
import type { Decision } from '../wire/answers.ts';
import { createError } from '../wire/errors.ts';
import type { GuardOptions } from '../wire/options.ts';
import { maskPaths } from './mask-paths.ts';

/** Only ENFORCE masks; OBSERVE leaves everything unchanged. */
const listMasks = ({ mode, explanation }: Decision) => (mode === 'ENFORCE' ? (explanation.obligations?.mask ?? null) : null);

/** Returns the arguments with masked parameters; throws if they cannot be masked, and the function does not run. */
export const getMaskedArguments = <Args extends readonly unknown[], Result>(
  decision: Decision,
  options: GuardOptions<Args, Result>,
  args: Args,
): Args => {
  const paths = listMasks(decision)?.parameters ?? [];
  if (paths.length === 0) return args;
  if (options.masked) return options.masked((value) => maskPaths(value, paths), ...args);
  if (!options.request) return args.map((argument) => maskPaths(argument, paths)) as unknown as Args;
  throw createError({
    code: 'CANNOT_MASK',
    message: `Rules mask ${paths.join(', ')}, but options.masked is required to locate them in the arguments. The function was not run.`,
    requestId: decision.request_id,
    details: { decision },
  });
};

/** Returns the masked result of the function. A result that is not JSON with members cannot be masked, and is withheld. */
export const getMaskedResult = <Result>(decision: Decision, result: Result): Result => {
  const paths = listMasks(decision)?.result ?? [];
  if (paths.length === 0 || result === undefined || result === null) return result;
  if (typeof result === 'object' && findNonJson(result) === undefined) return maskPaths(result, paths) as Result;
  throw createError({
    code: 'RESULT_WITHHELD',
    message:
      'The function has run, but its result is withheld: rules mask parts of it, and it is not a JSON object in which they can be located.',
    requestId: decision.request_id,
    details: { decision },
  });
};
