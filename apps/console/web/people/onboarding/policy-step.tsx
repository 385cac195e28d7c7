import type { Permission } from '@svc/contract/tables/permissions.ts';
import { type ReactNode, useState } from 'react';
import { callTexts, getSequenceTexts } from '../../data/call-texts.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { buildTrialPolicyBody, createTrialPolicy } from './prepare.ts';
import { SideBySide } from './step.tsx';
import { TRIAL_TEMPLATES, type TrialProgress } from './trial.ts';

type PolicyStepProps = { readonly session: Session; readonly progress: TrialProgress; readonly sandboxUrl: string | null };

const NEEDED: readonly Permission[] = ['tool:create', 'tool:update', 'policy:create', 'policy:activate'];
const DEFAULT_NAME = 'Trial refunds';

/** Creates a policy from a template, for the environment of the trial only, and activates it. */
export const PolicyStep = ({ session, progress, sandboxUrl }: PolicyStepProps): ReactNode => {
  const { data: templates, error: failure } = useOperation('listPolicyTemplates', {});
  const [template, setTemplate] = useState<string>(TRIAL_TEMPLATES[0]);
  const missing = NEEDED.find((each) => !may(session, each));
  if (missing !== undefined) return <MissingPermission needs={missing} to="activate a policy for the trial" />;
  if (failure) return <Problem error={failure} />;
  if (templates === undefined) return <Skeleton lines={4} />;
  const { environment: environmentId = '', agent: agentId = '' } = progress.values;
  const offered = templates.filter(({ id }) => TRIAL_TEMPLATES.some((each) => each === id));
  const texts = getSequenceTexts([
    callTexts('createPolicy', { body: buildTrialPolicyBody({ template, name: DEFAULT_NAME, environmentId }) }, location.origin),
    callTexts(
      'activatePolicy',
      { params: { policyId: 'pol_...' }, body: { version_id: 'ver_...', reason: 'First decision' } },
      location.origin,
    ),
  ]);
  return (
    <SideBySide label="Create and activate the policy" texts={texts}>
      <Form
        submit="Activate policy"
        send={({ name = '' }) => createTrialPolicy({ template, name, environmentId, agentId, sandboxUrl })}
        then={({ id }) => progress.set({ policy: id })}
        fields={(error) => (
          <>
            <fieldset className="choices">
              <legend>Template</legend>
              {offered.map(({ id, name, description }) => (
                <label key={id}>
                  <input type="radio" name="template" value={id} checked={id === template} onChange={() => setTemplate(id)} />
                  <span>
                    <strong>{name}</strong>
                    <span className="quiet-text">{description}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <TextField error={error} name="name" label="Name of the policy" defaultValue={DEFAULT_NAME} />
          </>
        )}
      />
    </SideBySide>
  );
};
