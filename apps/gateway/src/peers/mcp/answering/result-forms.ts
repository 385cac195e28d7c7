import { errorMessage, type Refusing, refusedResult, resultMessage } from '@svc/peers/mcp/front/messages.ts';
import { RPC_CODES, type RpcId } from '@svc/peers/mcp/front/read-request.ts';
import { CALL_METHODS, type Target } from './find-target.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Clients may keep the content of a resource for no time: each read is decided. */
const READ_TTL_MS = 0;

const TEXT_CHARS_MAX = 1_048_576;

/** Returns the contents of a resource. A text stands in the place of content that was withheld or removed. */
const formatContents = ({ name, offered }: Target, content: readonly unknown[]): Members[] =>
  content.filter(isMembers).map(({ resource, text }) => {
    if (isMembers(resource)) return { ...resource, uri: `${offered?.prefix ?? ''}${String(resource.uri)}` };
    return { uri: name, mimeType: 'text/plain', text: String(text ?? '').slice(0, TEXT_CHARS_MAX) };
  });

const formatMessages = (content: readonly unknown[], roles: unknown): Members[] =>
  content.map((block, index) => ({ role: Array.isArray(roles) && roles[index] === 'assistant' ? 'assistant' : 'user', content: block }));

/** Returns the result of a call in the form of its method. The pipeline handles each as the result of a tool. */
export const formatResult = (target: Target, isModern: boolean, result: Members): Members => {
  const { content, roles, description, _meta } = result;
  const blocks = Array.isArray(content) ? content : [];
  const complete = { ...(isModern ? { resultType: 'complete' } : {}) };
  if (target.method === 'resources/read') {
    const cached = isModern ? { ttlMs: READ_TTL_MS, cacheScope: 'private' } : {};
    return { ...complete, contents: formatContents(target, blocks), ...cached, _meta };
  }
  if (target.method === 'prompts/get')
    return { ...complete, ...(typeof description === 'string' ? { description } : {}), messages: formatMessages(blocks, roles), _meta };
  return { resultType: 'complete', ...result };
};

/**
 * Returns the response to a call that was not made or that failed. Tools have a result that models read; the protocol has only an error for resources and
 * prompts.
 */
export const formatFailure = (
  target: Target,
  id: RpcId,
  { code, text, result }: { code: string; text: string; result: Members },
): Members => {
  if (target.method === 'tools/call') return resultMessage(id, result);
  return errorMessage(id, { code: RPC_CODES.refused, message: text, data: { code, ...(isMembers(result._meta) ? result._meta : {}) } });
};

/** Returns the response to a refused call, with the reason and the next step. */
export const formatRefusal = (target: Target, id: RpcId, refusing: Refusing): Members => {
  const { code, reason, remedy } = refusing;
  return formatFailure(target, id, { code, text: `${code}: ${reason} What to do: ${remedy}`, result: refusedResult(refusing) });
};

/**
 * Builds the error for a name that does not exist, or that the agent may not see: both are the same to it. `nearest` is the most similar name
 * that the agent may use, if there is one.
 */
export const formatUnknown = ({ method, name }: Target, id: RpcId, nearest: string | null): Members => {
  const noun = CALL_METHODS[method];
  const hint = nearest === null ? '' : `. The nearest ${noun} that you may use is ${nearest}.`;
  const data = method === 'resources/read' ? { data: { uri: name } } : {};
  return errorMessage(id, { code: RPC_CODES.invalidParams, message: `Unknown ${noun}: ${name}${hint}`, ...data });
};
