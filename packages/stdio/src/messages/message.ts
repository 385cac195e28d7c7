/** Id of a JSON-RPC request. */
export type Id = string | number;

export type MessageMembers = Readonly<Record<string, unknown>>;

/** A message, and the line that holds it. A message that is not changed is passed on as its line. */
export type StdioMessage = { readonly line: string; readonly value: MessageMembers };

const isMembers = (value: unknown): value is MessageMembers => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

/** The ids 1 and "1" are two ids. */
export const deriveIdKey = (id: Id): string => `${typeof id} ${id}`;

/** Parses a line. Undefined for a line that is not a JSON object, such as a batch, which current revisions of the protocol do not have. */
export const readMessage = (line: string): StdioMessage | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return isMembers(value) ? { line, value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

export const newMessage = (value: MessageMembers): StdioMessage => ({ line: JSON.stringify({ jsonrpc: '2.0', ...value }), value });

export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
export const SERVER_BUSY = -32_000;

export const errorMessage = (id: Id | null, code: number, message: string): StdioMessage => newMessage({ id, error: { code, message } });

export const readParams = ({ params }: MessageMembers): MessageMembers => (isMembers(params) ? params : {});
