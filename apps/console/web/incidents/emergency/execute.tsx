import { NativeSelect, TextInput } from '@mantine/core';
import {
  type ControlBlastRadius,
  type ControlOutcome,
  EMERGENCY_CONTROLS,
  type EmergencyControl,
} from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button, Group, Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { CONTROL_WORDS, formatNumber, formatParts } from './control-words.ts';

const REASON_CHARS_MAX = 1_000;
const TARGET_CHARS_MAX = 260;

const names = (some: readonly { readonly id: string; readonly name: string }[]): string =>
  some.length === 0 ? 'None' : some.map(({ name }) => name).join(', ');

const radiusFacts = (radius: ControlBlastRadius) =>
  [
    ['Stops', formatNumber(radius)],
    ['Among them', names(radius.named)],
    ['Also affects', formatParts(radius)],
    ...(radius.cannot_hold.length === 0 ? [] : [['Does not reach', names(radius.cannot_hold)] as const]),
  ] as const;

type ConfirmProps = {
  readonly control: EmergencyControl;
  readonly target: string;
  readonly radius: ControlBlastRadius;
  readonly done: (outcome: ControlOutcome) => void;
};

/** The number that was read is typed, so that no one confirms what they did not read. */
const Confirm = ({ control, target, radius, done }: ConfirmProps): ReactNode => (
  <>
    <Facts facts={radiusFacts(radius)} />
    <Form
      submit={CONTROL_WORDS[control].name}
      color="red"
      send={({ reason = '', number = '', drill = '' }) =>
        client.request('executeEmergencyControl', {
          params: { control },
          body: { target, reason, confirm_blast_radius: Number(number), drill: drill === 'drill' },
        })
      }
      then={done}
      fields={(error) => (
        <>
          <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
          <TextField
            error={error}
            name="number"
            label="Number to confirm"
            description={`Type ${radius.number} to confirm that you read the preview.`}
          />
          <NativeSelect
            name="drill"
            label="Purpose"
            data={[
              { value: 'real', label: 'Execute' },
              { value: 'drill', label: 'Drill: check everything, change nothing' },
            ]}
          />
        </>
      )}
    />
  </>
);

/** Chooses a control and its target, shows what it stops, and executes it. */
export const ExecuteControl = ({ done }: { readonly done: (outcome: ControlOutcome) => void }): ReactNode => {
  const [control, setControl] = useState<EmergencyControl>('isolate-agent');
  const [target, setTarget] = useState('');
  const [radius, setRadius] = useState<ControlBlastRadius | undefined>();
  const preview = useMutation(
    () => client.request('previewEmergencyControl', { params: { control }, body: { target: target.trim() } }),
    ({ blast_radius }) => setRadius(blast_radius),
  );
  const words = CONTROL_WORDS[control];
  return (
    <>
      <NativeSelect
        label="Control"
        value={control}
        onChange={({ currentTarget }) => {
          setControl(currentTarget.value as EmergencyControl);
          setRadius(undefined);
        }}
        data={EMERGENCY_CONTROLS.map((value) => ({ value, label: CONTROL_WORDS[value].name }))}
      />
      <Text size="sm">{words.means}</Text>
      <TextInput
        label={words.target}
        placeholder={words.placeholder}
        value={target}
        maxLength={TARGET_CHARS_MAX}
        onChange={({ currentTarget }) => {
          setTarget(currentTarget.value);
          setRadius(undefined);
        }}
      />
      <Problem error={preview.error} />
      <Group mt="sm">
        <Button variant="default" loading={preview.isPending} disabled={target.trim() === ''} onClick={() => void preview.run(undefined)}>
          Preview
        </Button>
      </Group>
      {radius === undefined ? null : (
        <Confirm
          control={control}
          target={target.trim()}
          radius={radius}
          done={(outcome) => {
            setRadius(undefined);
            done(outcome);
          }}
        />
      )}
    </>
  );
};
