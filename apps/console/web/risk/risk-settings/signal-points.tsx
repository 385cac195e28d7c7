import { NumberInput } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { findFault } from '../../data/faults.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { formatSignal } from '../risk-events/risk-words.tsx';
import { type RiskSettings, saveRiskSettings } from './save-settings.ts';

const REASON_CHARS_MAX = 1_000;

type SignalPointsProps = {
  readonly settings: RiskSettings;
  readonly signal: OperationResult<'listRiskSignals'>[number];
  readonly done: (text: string) => void;
};

/** Points that a signal adds in an environment. */
export const SignalPoints = ({ settings, signal, done }: SignalPointsProps): ReactNode => (
  <Form
    submit="Save points"
    send={({ points = '', reason = '' }) =>
      saveRiskSettings(settings, { signals: { ...settings.signals, [signal.name]: Number(points) }, reason })
    }
    then={() => done(`${formatSignal(signal.name)}: the points are saved.`)}
    fields={(error) => (
      <>
        <NumberInput
          name="points"
          label="Points"
          description="0 turns the signal off. Fewer points need a confirmation of your identity."
          min={0}
          max={100}
          allowDecimal={false}
          clampBehavior="strict"
          hideControls
          defaultValue={signal.points}
          error={findFault(error, signal.name)}
        />
        <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
      </>
    )}
  />
);
