import type { ControlBlastRadius, EmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import type { IncidentDetail } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { useKnownNames } from '../../data/names/known-names.ts';
import { getName } from '../../data/names/named-ids.ts';
import type { Session } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Group, Text, Title } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { CONTROL_WORDS, formatNumber, formatParts } from '../emergency/control-words.ts';

type Step = { readonly control: EmergencyControl; readonly target: string };
type Previewed = Step & { readonly radius: ControlBlastRadius | null; readonly message: string | null };

/** Controls that suit the subjects of an incident. */
const suggested = ({ subjects, environment_id }: IncidentDetail): readonly Step[] => [
  ...subjects.flatMap(({ type, id }): Step[] => {
    if (type === 'agent') return [{ control: 'isolate-agent', target: id }];
    if (type === 'tool') return [{ control: 'disable-tool', target: id }];
    return type === 'environment' ? [{ control: 'pause-environment', target: id }] : [];
  }),
  ...(environment_id === null || subjects.some(({ id }) => id === environment_id)
    ? []
    : [{ control: 'pause-environment' as const, target: environment_id }]),
];

type ConfirmProps = { readonly incidentId: string; readonly step: Previewed; readonly done: (text: string) => void };

const ConfirmStep = ({ incidentId, step: { control, target, radius, message }, done }: ConfirmProps): ReactNode => {
  if (radius === null) return <Text size="sm">{message ?? 'This step is not possible now.'}</Text>;
  return (
    <>
      <Text size="sm">
        Stops {formatNumber(radius)}. {formatParts(radius)}.
      </Text>
      <Form
        submit={CONTROL_WORDS[control].name}
        color="red"
        send={({ reason = '', number = '' }) =>
          client.request('containIncident', {
            params: { incidentId },
            body: { reason, steps: [{ control, target, confirm_blast_radius: Number(number) }] },
          })
        }
        then={({ steps }) =>
          done(steps[0]?.outcome === 'REFUSED' ? (steps[0].message ?? 'The step was refused.') : 'The step was executed.')
        }
        fields={(error) => (
          <>
            <TextField error={error} name="reason" label="Reason" maxLength={1_000} />
            <TextField error={error} name="number" label="Number to confirm" description={`Type ${radius.number}.`} />
          </>
        )}
      />
    </>
  );
};

type ContainProps = { readonly incident: IncidentDetail; readonly session: Session; readonly done: (text: string) => void };

/** The containment checklist: controls for the subjects, each with its preview. */
export const Contain = ({ incident, session, done }: ContainProps): ReactNode => {
  const [previewed, setPreviewed] = useState<Previewed | undefined>();
  const preview = useMutation(
    (step: Step) => client.request('previewContainment', { params: { incidentId: incident.id }, body: { steps: [step] } }),
    ({ steps: [first] }) =>
      setPreviewed(first && { control: first.control, target: first.target, radius: first.blast_radius, message: first.message }),
  );
  const steps = suggested(incident);
  const known = useKnownNames(session);
  return (
    <section aria-labelledby="contain-title">
      <Title id="contain-title" order={2} size="h4">
        Contain
      </Title>
      {steps.length === 0 ? <Text>The incident names no agent, tool or environment. Use the emergency page.</Text> : null}
      <Problem error={preview.error} />
      <Group gap="xs">
        {steps.map((step) => (
          <Button
            key={`${step.control} ${step.target}`}
            size="xs"
            variant="default"
            loading={preview.isPending}
            onClick={() => void preview.run(step)}
          >
            {CONTROL_WORDS[step.control].name}: {getName(step.target, known) ?? step.target}
          </Button>
        ))}
      </Group>
      {previewed === undefined ? null : (
        <ConfirmStep
          incidentId={incident.id}
          step={previewed}
          done={(text) => {
            setPreviewed(undefined);
            done(text);
          }}
        />
      )}
    </section>
  );
};
