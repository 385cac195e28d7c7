import { NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { findFault } from '../../data/faults.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Facts } from '../../design/facts.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { countReached, type RiskScores, type RiskSettings, saveRiskSettings } from './save-settings.ts';

const REASON_CHARS_MAX = 1_000;

const NAMES = { elevated: 'Elevated', high: 'High' } as const;
type Name = keyof typeof NAMES;

/** How many decisions of the last 24 hours a threshold would have reached. */
const reachedText = (scores: RiskScores | undefined, threshold: number): string => {
  if (scores === undefined) return '';
  const reached = countReached(scores, threshold);
  const counted = scores.counted_all ? `${scores.decisions} decisions` : `the last ${scores.decisions} decisions`;
  return `In the last 24 hours, ${reached} of ${counted} had a score of at least ${threshold}. A rule at this score would have held them.`;
};

type ThresholdsProps = { readonly settings: RiskSettings; readonly mayUpdate: boolean; readonly done: (text: string) => void };

/** The thresholds of an environment with the number of decisions that each would have reached. */
export const Thresholds = ({ settings, mayUpdate, done }: ThresholdsProps): ReactNode => {
  const [tried, setTried] = useState<Record<Name, number>>(settings.thresholds);
  const { data: scores } = useOperation('countRiskScores', { params: { environmentId: settings.environment_id } });
  if (!mayUpdate)
    return (
      <Facts
        facts={(Object.keys(NAMES) as Name[]).map((name) => [
          NAMES[name],
          `${settings.thresholds[name]}. ${reachedText(scores, settings.thresholds[name])}`,
        ])}
      />
    );
  return (
    <Form
      submit="Save thresholds"
      send={({ reason = '' }) => saveRiskSettings(settings, { thresholds: tried, reason })}
      then={() => done('The thresholds are saved.')}
      fields={(error) => (
        <>
          {(Object.keys(NAMES) as Name[]).map((name) => (
            <NumberInput
              key={name}
              name={name}
              label={NAMES[name]}
              min={1}
              max={100}
              allowDecimal={false}
              clampBehavior="strict"
              hideControls
              value={tried[name]}
              onChange={(value) => setTried({ ...tried, [name]: Number(value) })}
              description={reachedText(scores, tried[name])}
              error={findFault(error, name)}
            />
          ))}
          <TextField error={error} name="reason" label="Reason" maxLength={REASON_CHARS_MAX} />
          <Text size="sm">A higher threshold needs a confirmation of your identity.</Text>
        </>
      )}
    />
  );
};
