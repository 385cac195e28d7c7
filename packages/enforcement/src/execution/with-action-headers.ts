import type { ExecutionCall } from '../ports/executors.ts';

/** Adds headers that are known once the decision is recorded: the trace context, and the action in the headers that the tool names. */
export const addActionHeaders = <Call extends ExecutionCall<'http'>>(call: Call): Call => {
  const { actionId, traceParent, terms } = call;
  const { key_header = null, decision_header = null } = terms ?? {};
  if (traceParent === undefined && key_header === null && decision_header === null) return call;
  const headers = {
    ...(traceParent === undefined ? {} : { traceparent: traceParent }),
    ...call.headers,
    // The same on each attempt, since it belongs to the action.
    ...(key_header === null ? {} : { [key_header]: actionId }),
    ...(decision_header === null ? {} : { [decision_header]: actionId }),
  };
  return { ...call, headers };
};
