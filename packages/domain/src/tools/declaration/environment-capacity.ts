import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** Tools, and bytes of their schemas and executions as JSON. */
export type HeldTools = { readonly tools: number; readonly bytes: number };

type Declared = { readonly parameters_schema?: unknown; readonly execution?: unknown };

const { perEnvironmentMax, bytesPerEnvironmentMax } = LIMITS.tools;

const utf8 = new TextEncoder();
const getBytes = (value: unknown): number => (value === undefined || value === null ? 0 : utf8.encode(JSON.stringify(value)).length);

/** Returns the size that one declaration adds to its environment. */
export const measureTool = ({ parameters_schema = { type: 'object' }, execution }: Declared): HeldTools => ({
  tools: 1,
  bytes: getBytes(parameters_schema) + getBytes(execution),
});

export const heldTogether = (held: HeldTools, added: HeldTools): HeldTools => ({
  tools: held.tools + added.tools,
  bytes: held.bytes + added.bytes,
});

/**
 * Returns why an environment has no capacity for more tools: every gateway of it holds all of them. Undefined if the addition fits, or is
 * empty.
 */
export const findRoomRefusal = (held: HeldTools, added: HeldTools): Refusal<'UNPROCESSABLE'> | undefined => {
  const { tools, bytes } = heldTogether(held, added);
  const isOver = (added.tools > 0 && tools > perEnvironmentMax) || (added.bytes > 0 && bytes > bytesPerEnvironmentMax);
  if (!isOver) return undefined;
  const most = `${perEnvironmentMax} tools and ${bytesPerEnvironmentMax} bytes of their schemas and executions as JSON`;
  const message = `An environment can have at most ${most}; with this change it would have ${tools} tools and ${bytes} bytes. Shorten declarations, or register the tool in another environment.`;
  return buildRefusal('UNPROCESSABLE', message, {
    in_environment: { tools, bytes },
    most: { tools: perEnvironmentMax, bytes: bytesPerEnvironmentMax },
  });
};
