import { NativeSelect } from '@mantine/core';
import { BREAK_GLASS_MODES, type BreakGlassMode, type BreakGlassSettings } from '@svc/contract/incidents/emergency/break-glass.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { Panel } from '../../design/panel.tsx';
import { Time } from '../../design/time.tsx';
import { MODE_NAMES, personWords } from './grant-words.tsx';

const REASON_CHARS_MAX = 1_000;

type ChangeProps = { readonly settings: BreakGlassSettings; readonly done: (text: string) => void };

const ChangeRule = ({ settings, done }: ChangeProps): ReactNode => (
  <DialogButton label="Change rule">
    {(close) => (
      <Form
        submit="Change rule"
        send={({ mode, reason = '' }) => client.request('updateBreakGlassSettings', { body: { mode: mode as BreakGlassMode, reason } })}
        then={({ mode }) => {
          close();
          done(`The rule is changed: ${MODE_NAMES[mode]}.`);
        }}
        fields={(error) => (
          <>
            <NativeSelect
              name="mode"
              label="Rule"
              defaultValue={settings.mode}
              data={BREAK_GLASS_MODES.map((value) => ({ value, label: MODE_NAMES[value] }))}
            />
            <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
          </>
        )}
      />
    )}
  </DialogButton>
);

type RuleProps = ChangeProps & { readonly mayChange: boolean; readonly known: readonly { readonly id: string; readonly name: string }[] };

/** The rule of the organization: who decides about access. */
export const BreakGlassRule = ({ settings, done, mayChange, known }: RuleProps): ReactNode => (
  <Panel title="Rule" actions={mayChange ? <ChangeRule settings={settings} done={done} /> : null}>
    <Facts
      facts={[
        ['Who decides', MODE_NAMES[settings.mode]],
        ...(settings.updated_at === null ? [] : [['Changed', <Time key="at" at={settings.updated_at} />] as const]),
        ...(settings.updated_by === null ? [] : [['Changed by', personWords(settings.updated_by, known)] as const]),
      ]}
    />
    {mayChange ? null : <MissingPermission needs="organization:update" to="change the rule" />}
  </Panel>
);
