import type { ControlBlastRadius, ControlOutcome, EmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { isConfirmed } from '@svc/domain/incidents/emergency/confirm-blast-radius.ts';
import { type About, about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { insertExecution } from '@svc/postgres/incidents/emergency/executions.ts';
import { insertEntry } from '@svc/postgres/incidents/incidents/entries.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { takeIncident } from '../incidents/take-incident.ts';
import { type ApplyRefusal, applyControl, type ControlEvent } from './apply-control.ts';
import { type ControlTarget, findControlTarget, getUndoRequest, type TargetRefusal } from './control-target.ts';
import { countBlastRadius } from './count-blast-radius.ts';

export type ExecutedEvent = ControlEvent | 'security.emergency_action_executed' | 'emergency.drill_completed';

export type ControlRequest = CallContext & {
  readonly control: EmergencyControl;
  readonly target: string;
  readonly reason: string;
  readonly confirmed: number;
  readonly expiresAt: string | null;
  readonly incidentId: string | null;
  readonly drill: boolean;
  readonly newId: (noun: 'emergency_execution' | 'blocked_destination' | 'incident_entry') => string;
  /** Records an unchanged target as a step of the incident. */
  readonly recordsUnchanged?: true;
};

export type ControlRefusal = TargetRefusal | ApplyRefusal | Refusal<'CONFLICT'>;

const ONLY_BLOCKS = 'Only block-destination ends by itself.';
const IN_PAST = 'must be a time in the future, such as 2030-01-01T00:00:00.000Z';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

const expiryFault = ({ control, expiresAt, now }: ControlRequest): Refusal<'VALIDATION_FAILED'> | undefined => {
  if (expiresAt === null) return undefined;
  if (control !== 'block-destination') return refuseBody('/expires_at', ONLY_BLOCKS);
  return TIME.test(expiresAt) && Date.parse(expiresAt) > now.getTime() ? undefined : refuseBody('/expires_at', IN_PAST);
};

const unconfirmed = (confirmed: number, blast_radius: ControlBlastRadius): Refusal<'CONFLICT'> =>
  buildRefusal(
    'CONFLICT',
    `The confirmed number is ${confirmed}, but the control would now stop ${blast_radius.number} ${blast_radius.unit}. Read the preview and confirm its number.`,
    { confirmed, now: blast_radius.number, blast_radius },
  );

type Done = { readonly executionId: string; readonly about: About; readonly blockId: string };

const apply = async (change: Change<ExecutedEvent>, request: ControlRequest, target: ControlTarget): Promise<Done | ApplyRefusal> => {
  const blockId = request.newId('blocked_destination');
  const executionId = request.newId('emergency_execution');
  if (request.drill) return { executionId, about: target.about ?? about.organization({ id: request.scope.organization_id }), blockId };
  const applied = await applyControl(change, request.control, { ...request, target, blockId });
  return isRefusal(applied) ? applied : { executionId, about: applied, blockId };
};

const record = async (
  { tx, emit }: Change<ExecutedEvent>,
  request: ControlRequest,
  target: ControlTarget,
  done: Done,
  told: { readonly radius: ControlBlastRadius; readonly took_ms: number; readonly outcome: 'CHANGED' | 'UNCHANGED' },
): Promise<void> => {
  const { control, reason, confirmed, drill, incidentId, actor, now, scope } = request;
  const { radius, took_ms, outcome } = told;
  await insertExecution(tx, {
    ...{ organization_id: scope.organization_id, id: done.executionId },
    ...{ workspace_id: target.workspace_id, environment_id: target.environment_id },
    ...{ control, target_type: target.type, target_id: target.id, target_name: target.name },
    ...{ confirmed, actual: radius.number, outcome, reason, drill, incident_id: incidentId },
    ...{ executed_by_type: actor.type, executed_by_id: actor.id, executed_at: now, took_ms },
  });
  if (incidentId !== null)
    await insertEntry(tx, {
      ...{ organization_id: scope.organization_id, workspace_id: target.workspace_id, environment_id: target.environment_id },
      ...{ incident_id: incidentId, id: request.newId('incident_entry'), kind: 'STEP', at: now, last_at: now },
      data: JSON.stringify({
        control,
        subject: target.name,
        by: actor.id,
        confirmed,
        actual: radius.number,
        outcome,
        execution_id: done.executionId,
      }),
    });
  if (outcome === 'UNCHANGED' && !drill) return;
  const data = {
    ...{ control, operation: 'execute', target: { type: target.type, id: target.id, name: target.name }, reason },
    ...{ confirmed, actual: radius.number, parts: radius.parts, execution_id: done.executionId },
    ...(incidentId === null ? {} : { incident_id: incidentId }),
    ...(drill ? { drill } : {}),
  };
  emit(drill ? 'emergency.drill_completed' : 'security.emergency_action_executed', { ...done.about, data });
};

/** Leaves a target unchanged; as a step of an incident it is recorded all the same. */
const leaveUnchanged = async (
  change: Change<ExecutedEvent>,
  request: ControlRequest,
  target: ControlTarget,
  radius: ControlBlastRadius,
  took_ms: number,
): Promise<string | null> => {
  if (request.incidentId === null || !request.recordsUnchanged) return null;
  const executionId = request.newId('emergency_execution');
  const done = { executionId, about: about.organization({ id: request.scope.organization_id }), blockId: '' };
  await record(change, request, target, done, { radius, took_ms, outcome: 'UNCHANGED' });
  return executionId;
};

/**
 * Executes an emergency control: locks its target, counts again what it stops, compares that with the confirmed number, and makes the
 * change. A target in this state already is unchanged.
 */
export const executeControl = async (change: Change<ExecutedEvent>, asked: ControlRequest): Promise<ControlOutcome | ControlRefusal> => {
  const startedAt = performance.now();
  const fault = expiryFault(asked);
  if (fault) return fault;
  const taken = asked.incidentId === null ? undefined : await takeIncident(change.tx, asked, asked.incidentId, 'contain');
  if (isRefusal(taken)) return taken;
  const drill = asked.drill || taken?.incident.drill === true;
  const request = { ...asked, drill };
  const { control, scope, now } = request;
  const target = await findControlTarget(change.tx, control, { ...request, locks: true });
  if (isRefusal(target)) return target;
  const blast_radius = await countBlastRadius(change.tx, scope.organization_id, control, target, now);
  const { type, id, name } = target;
  const told = { control, target: { type, id, name }, drill, blast_radius };
  const tookMs = (): number => Math.round(performance.now() - startedAt);
  if (target.isDone && !drill) {
    const execution_id = await leaveUnchanged(change, request, target, blast_radius, tookMs());
    return { ...told, execution_id, outcome: 'UNCHANGED', took_ms: tookMs(), undo: getUndoRequest(control, target) };
  }
  if (!isConfirmed(blast_radius.number, request.confirmed)) return unconfirmed(request.confirmed, blast_radius);
  const done = await apply(change, request, target);
  if (isRefusal(done)) return done;
  const took_ms = tookMs();
  const outcome = drill ? 'UNCHANGED' : 'CHANGED';
  await record(change, request, target, done, { radius: blast_radius, took_ms, outcome });
  return { ...told, execution_id: done.executionId, outcome, took_ms, undo: getUndoRequest(control, target, done.blockId) };
};
