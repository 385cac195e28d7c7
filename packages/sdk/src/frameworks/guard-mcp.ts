import type { ToolOptions } from '../wire/options.ts';
import { isText, type WireMembers } from '../wire/read-members.ts';
import { type AnyFunction, answerRefusals, findMcpRefusal } from './answer-refusals.ts';
import { type GuardFunction, makeToolGuard } from './guard-tools.ts';

type Server = { registerTool: AnyFunction };
type Client = { callTool: AnyFunction };

const replace = (target: object, member: string, value: unknown): void => {
  Object.defineProperty(target, member, { value, writable: true, configurable: true });
};

/** Members that would execute a tool without the guard. */
const close = (target: object, members: readonly string[], remedy: string): void => {
  for (const member of members) {
    if (!(member in target)) continue;
    const refuse = (): never => {
      throw new TypeError(`${member} is not guarded. ${remedy}`);
    };
    Object.defineProperty(target, member, { get: refuse, configurable: true });
  }
};

const guardUpdate = (registered: WireMembers, guarded: (fn: AnyFunction) => AnyFunction): void => {
  const { update } = registered;
  if (typeof update !== 'function') return;
  replace(registered, 'update', (changes: WireMembers) => {
    if (changes.paramsSchema !== undefined)
      throw new TypeError('The schema of a guarded tool cannot be changed. Remove it and register it again.');
    const { callback } = changes;
    return update.call(registered, typeof callback === 'function' ? { ...changes, callback: guarded(callback as AnyFunction) } : changes);
  });
};

/**
 * Guards the tools that are registered on this server from now on (MCP SDK v1 and v2). The server parses the arguments before the handler,
 * so the parsed ones are judged. Throws TypeError if a tool is registered already.
 */
export const guardMcpServer = <S extends object>(guardFunction: GuardFunction, server: S, options: ToolOptions): S => {
  const target = server as S & Server & { readonly _registeredTools?: object };
  if (typeof target.registerTool !== 'function') throw new TypeError('mcpServer requires an McpServer, which has registerTool.');
  if (Object.keys(target._registeredTools ?? {}).length > 0)
    throw new TypeError('Call mcpServer before registerTool: tools that are registered already would stay unguarded.');
  const register = target.registerTool.bind(server);
  replace(target, 'registerTool', (name: string, config: WireMembers, handler: AnyFunction) => {
    const make = makeToolGuard(guardFunction, name, options);
    const takesInput = config?.inputSchema !== undefined;
    const guarded = (fn: AnyFunction): AnyFunction => {
      const answer = answerRefusals(make, takesInput ? fn : (_input, ...rest) => fn(...rest), findMcpRefusal);
      return takesInput ? (input, ...rest) => answer(input, ...rest) : (...rest) => answer({}, ...rest);
    };
    const registered: WireMembers = register(name, config, guarded(handler));
    guardUpdate(registered, guarded);
    return registered;
  });
  close(target, ['tool', 'experimental'], 'Use registerTool.');
  return server;
};

/** Guards every call of a tool by this client (MCP SDK v1 and v2). The arguments are copied before the decision, and the copy is sent. */
export const guardMcpClient = <C extends object>(guardFunction: GuardFunction, client: C, options: ToolOptions): C => {
  const target = client as C & Client;
  if (typeof target.callTool !== 'function') throw new TypeError('mcpClient requires a Client, which has callTool.');
  const call = target.callTool.bind(client);
  replace(target, 'callTool', async (params: WireMembers, ...rest: unknown[]) => {
    const { name } = params ?? {};
    if (!isText(name)) throw new TypeError('callTool requires the name of a tool.');
    const send: AnyFunction = (input: unknown) =>
      call({ ...params, ...(params.arguments === undefined ? {} : { arguments: input }) }, ...rest);
    return answerRefusals(makeToolGuard(guardFunction, name, options), send, findMcpRefusal)(structuredClone(params.arguments ?? {}));
  });
  close(target, ['experimental'], 'Use callTool.');
  return client;
};
