import { NativeSelect, NumberInput } from '@mantine/core';
import type { BreakGlassGrant, BreakGlassMode } from '@svc/contract/incidents/emergency/break-glass.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { INCIDENT_LIMITS } from '@svc/contract/tables/limits/incident-limits.ts';
import { SECOND_FACTORS } from '@svc/contract/tables/proofs.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import type { Session } from '../../data/session.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Warning } from '../../design/warning.tsx';

const REASON_CHARS_MAX = 1_000;
const { minutesMin, minutesMax, aloneMinutesMax } = INCIDENT_LIMITS.breakGlass;

const MEANS: Readonly<Record<BreakGlassMode, string>> = {
  TWO_PEOPLE: 'Another person who may execute emergency controls approves it within 15 minutes.',
  SELF_WITH_NOTICE: 'It is active at once. Everyone who may stop agents is notified, and an incident is opened.',
};

type RequestGrantProps = {
  readonly session: Session;
  /** Undefined where the person may not read it. */
  readonly mode: BreakGlassMode | undefined;
  readonly done: (grant: BreakGlassGrant) => void;
};

/** Requests the permissions of the role security for this session. */
export const RequestGrant = ({ session, mode, done }: RequestGrantProps): ReactNode => {
  const most = mode === 'SELF_WITH_NOTICE' ? aloneMinutesMax : minutesMax;
  if (!SECOND_FACTORS.some((proof) => session.amr.includes(proof)))
    return (
      <Warning title="A second factor is required">
        Sign in with a second factor to request access. <a href={buildConsolePath('profile')}>Add one in your profile</a>.
      </Warning>
    );
  return (
    <Form
      submit="Request access"
      color="red"
      send={({ reason = '', minutes = '', purpose = '' }) =>
        client.request('requestBreakGlass', { body: { reason, minutes: Number(minutes), drill: purpose === 'drill' } })
      }
      then={done}
      fields={(error) => (
        <>
          {mode === undefined ? null : <p>{MEANS[mode]}</p>}
          <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
          <NumberInput
            name="minutes"
            label="Minutes"
            description={`${minutesMin} to ${most}. Access ends by itself.`}
            min={minutesMin}
            max={most}
            defaultValue={Math.min(15, most)}
            allowDecimal={false}
            clampBehavior="blur"
            hideControls
            required
            error={findFault(error, 'minutes')}
          />
          <NativeSelect
            name="purpose"
            label="Purpose"
            data={[
              { value: 'real', label: 'Get access' },
              { value: 'drill', label: 'Drill: check everything, give no permission' },
            ]}
          />
        </>
      )}
    />
  );
};
