import { callGateway, type GatewayConnection } from '../exchange/call-gateway.ts';
import type { Action } from '../wire/answers.ts';
import { isGovernanceError } from '../wire/errors.ts';
import type { CallOptions, Outcome } from '../wire/options.ts';
import { isAction } from '../wire/read-answers.ts';
import { PATHS } from '../wire/wire-format.ts';

const actionPath = (actionId: string): string => `${PATHS.actions}/${encodeURIComponent(actionId)}`;

export const readAction = (connection: GatewayConnection, actionId: string, options: CallOptions): Promise<Action> =>
  callGateway(connection, { method: 'GET', path: actionPath(actionId) }, isAction, options);

/** An observed action keeps its status, so its execution shows how it ended. */
const saysSo = ({ execution, completed_at }: Action, { status }: Outcome): boolean =>
  Boolean(completed_at) && execution?.state === (status === 'COMPLETED' ? 'EXECUTED' : 'FAILED');

/**
 * Reports how an action ended. The first report counts: if this one is refused because the action is already closed with the same outcome,
 * an earlier attempt arrived whose response was lost, and that is no failure.
 */
export const reportOutcome = async (
  connection: GatewayConnection,
  actionId: string,
  outcome: Outcome,
  options: CallOptions,
): Promise<Action> => {
  const { status, result, error } = outcome;
  const request = { method: 'POST', path: `${actionPath(actionId)}/outcome`, body: JSON.stringify({ status, result, error }) } as const;
  try {
    return await callGateway(connection, request, isAction, options);
  } catch (refused) {
    if (!isGovernanceError(refused, 'INVALID_STATE_TRANSITION')) throw refused;
    const action = await readAction(connection, actionId, options);
    if (!saysSo(action, outcome)) throw refused;
    return action;
  }
};
