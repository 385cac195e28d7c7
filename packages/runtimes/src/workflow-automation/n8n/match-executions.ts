import { isObject, listAt, objectAt, textAt } from '../../digest/json.ts';

const GOVERNED_NODE = 'n8n-nodes-svc-governance.svcAction';
const ACTION_ID = /^act_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Position of the output Permitted. */
const PERMITTED_AT = 2;
const PERMITS_MAX = 500;

/** An item that a governed node let pass in an execution. */
type Permit = {
  readonly executionId: string;
  readonly workflowId: string;
  /** Action that it states; null if it states none. */
  readonly actionId: string | null;
};

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : '');

const readActionId = (item: unknown): string | null => {
  const id = textAt(objectAt(objectAt(item, 'json'), 'svc'), 'action_id');
  return id !== undefined && ACTION_ID.test(id) ? id : null;
};

const isPermit = (item: unknown, at: number, isTool: boolean): boolean =>
  isTool ? textAt(objectAt(objectAt(item, 'json'), 'svc'), 'decision') === 'PERMITTED' : at === PERMITTED_AT;

/** Returns what governed nodes let pass in the executions that an instance returned with their data. */
export const readPermits = (executions: readonly unknown[]): readonly Permit[] =>
  executions
    .flatMap((execution) => {
      const nodes = listAt(objectAt(execution, 'workflowData'), 'nodes').filter((node) => textAt(node, 'type')?.startsWith(GOVERNED_NODE));
      const runData = objectAt(objectAt(objectAt(execution, 'data'), 'resultData'), 'runData');
      const about = isObject(execution) ? { executionId: textOf(execution.id), workflowId: textOf(execution.workflowId) } : undefined;
      if (about === undefined) return [];
      return nodes.flatMap((node) => {
        const isTool = textAt(node, 'type')?.endsWith('Tool') ?? false;
        return listAt(runData, textAt(node, 'name') ?? '').flatMap((run) =>
          Object.values(objectAt(run, 'data')).flatMap((outputs) =>
            (Array.isArray(outputs) ? outputs : []).flatMap((items: unknown, at) =>
              (Array.isArray(items) ? items : [])
                .filter((item) => isPermit(item, at, isTool))
                .map((item) => ({ ...about, actionId: readActionId(item) })),
            ),
          ),
        );
      });
    })
    .slice(0, PERMITS_MAX);

/** Returns what was let pass without an action that the service recorded. */
export const unmatchedPermits = (permits: readonly Permit[], recorded: ReadonlySet<string>): readonly Permit[] =>
  permits.filter(({ actionId }) => actionId === null || !recorded.has(actionId));
