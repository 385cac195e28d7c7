import { NativeSelect } from '@mantine/core';
import { type RiskVerdict, VERDICTS } from '@svc/contract/risk/risk-events.ts';
import { SIGNAL_TABLE, type SignalRow } from '@svc/contract/risk/signal-table.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { type RiskEvent, VERDICT_NAMES } from './risk-words.tsx';

const COMMENT_CHARS_MAX = 1_000;

const MEANS: Readonly<Record<RiskVerdict, string>> = {
  EXPECTED: 'The agent is meant to do this. Its risk no longer includes this family.',
  FALSE_ALARM: 'The signal is wrong. The risk of the agent no longer includes this family.',
  CONFIRMED: 'The agent did harm. The risk of the agent stays as it is.',
};

const NO_MUTE = { value: '', label: 'No exception' };
const DAY = { value: '24', label: 'for a day' };
const LONGER = [
  { value: '168', label: 'for 7 days' },
  { value: '720', label: 'for 30 days' },
];

const readRow = (signal: string): SignalRow | undefined => (SIGNAL_TABLE as Readonly<Record<string, SignalRow>>)[signal];

const muteOptions = (signal: string) => {
  const row = readRow(signal);
  if (row === undefined) return [];
  return [NO_MUTE, DAY, ...(row.family === 'content' ? [] : LONGER)];
};

type VerdictProps = { readonly event: RiskEvent; readonly verdict: RiskVerdict; readonly done: (text: string) => void };

const VerdictForm = ({ event, verdict, done }: VerdictProps): ReactNode => {
  const options = verdict === 'CONFIRMED' ? [] : muteOptions(event.signal);
  return (
    <>
      <Text mb="md">{MEANS[verdict]}</Text>
      <Form
        submit={VERDICT_NAMES[verdict]}
        send={({ comment = '', mute_hours = '' }) =>
          client.request('acknowledgeRiskEvent', {
            params: { riskEventId: event.id },
            body: { verdict, ...(comment === '' ? {} : { comment }), ...(mute_hours === '' ? {} : { mute_hours: Number(mute_hours) }) },
          })
        }
        then={() => done(`The verdict is recorded: ${VERDICT_NAMES[verdict]}.`)}
        fields={(error) => (
          <>
            <TextField error={error} name="comment" label="Comment" required={false} maxLength={COMMENT_CHARS_MAX} />
            {options.length === 0 ? null : (
              <NativeSelect
                name="mute_hours"
                label="Exception for this agent, signal and subject"
                data={options}
                error={findFault(error, 'mute_hours')}
              />
            )}
          </>
        )}
      />
    </>
  );
};

/** A button for each verdict on an open risk event. */
export const GiveVerdict = ({ event, done }: Omit<VerdictProps, 'verdict'>): ReactNode =>
  VERDICTS.map((verdict) => (
    <DialogButton key={verdict} label={VERDICT_NAMES[verdict]} isDanger={verdict === 'CONFIRMED'}>
      {(close) => (
        <VerdictForm
          event={event}
          verdict={verdict}
          done={(text) => {
            close();
            done(text);
          }}
        />
      )}
    </DialogButton>
  ));
