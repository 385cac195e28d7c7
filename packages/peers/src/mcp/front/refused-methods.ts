/** Methods of the protocol that the gateway refuses, by the beginning of their names, and what a client does instead. */
const REFUSED_METHODS: readonly (readonly [start: string, sentence: string])[] = [
  ['resources/subscribe', 'Subscriptions are not offered here. Read the resource again to see changes.'],
  ['resources/unsubscribe', 'Subscriptions are not offered here.'],
  ['completion/', 'Completion is not passed on here, since no policy decides on it. Name the argument in full.'],
  ['subscriptions/', 'Subscriptions are not offered here. List the tools again: the list may be kept for five seconds.'],
  ['logging/', 'Log messages of MCP servers are not passed on here. Calls are in the record of the service.'],
  ['sampling/', 'Requests for samples of a model are not passed on here.'],
  ['roots/', 'Roots of clients are not passed on here.'],
  ['elicitation/', 'Questions to people are not passed on here. Approvals are given in the console.'],
  ['tasks/', 'Tasks are not offered here. A call is answered when it has ended.'],
];

const UNKNOWN = 'The method is not supported here. Tools can be listed and called, resources read, and prompts used.';

/** Returns why a method is refused. */
export const refusedMethod = (method: string): string => REFUSED_METHODS.find(([start]) => method.startsWith(start))?.[1] ?? UNKNOWN;
