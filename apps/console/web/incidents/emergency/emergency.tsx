import type { BlockedDestination, ControlFacts, ControlOutcome } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Button, Title } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { MissingPermission } from '../../design/missing-permission.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { WithReason } from '../with-reason.tsx';
import { CONTROL_WORDS, formatNumber } from './control-words.ts';
import { ExecuteControl } from './execute.tsx';

const outcomeWords = ({ target, outcome, drill, blast_radius, took_ms }: ControlOutcome): string => {
  if (drill) return `Drill completed in ${took_ms} ms: ${formatNumber(blast_radius)} would be stopped. Nothing was changed.`;
  return outcome === 'CHANGED'
    ? `Done: ${target.name}. ${formatNumber(blast_radius)} stopped.`
    : `${target.name} was in this state before.`;
};

const refreshEmergency = (): Promise<unknown> => refresh('listEmergencyControls', 'listBlockedDestinations');

const CONTROLS: readonly Column<ControlFacts>[] = [
  { name: 'Control', show: ({ control }) => CONTROL_WORDS[control].name },
  { name: 'Last executed', show: ({ last_execution_at }) => (last_execution_at === null ? 'Never' : <Time at={last_execution_at} />) },
  { name: 'Last drill', show: ({ last_drill_at }) => (last_drill_at === null ? 'Never' : <Time at={last_drill_at} />) },
];

type BlocksProps = { readonly mayLift: boolean; readonly announce: (text: string) => void };

const Blocks = ({ mayLift, announce }: BlocksProps): ReactNode => {
  const list = usePages('listBlockedDestinations', {});
  const columns: readonly Column<BlockedDestination>[] = [
    { name: 'Destination', show: ({ destination }) => <bdi>{destination}</bdi> },
    { name: 'Reason', show: ({ reason }) => <bdi>{reason}</bdi> },
    { name: 'Since', show: ({ created_at }) => <Time at={created_at} /> },
    { name: 'Ends', show: ({ expires_at }) => (expires_at === null ? 'When lifted' : <Time at={expires_at} />) },
    {
      name: 'Actions',
      isActions: true,
      show: ({ id, destination }) =>
        mayLift ? (
          <DialogButton label="Unblock" to={destination}>
            {(close) => (
              <WithReason
                submit="Unblock"
                means="Calls may go there again, within the destinations of each tool."
                send={(reason) => client.request('unblockDestination', { params: { blockId: id }, body: { reason } })}
                then={() => {
                  close();
                  announce(`${destination} is not blocked any more.`);
                  void refreshEmergency();
                }}
              />
            )}
          </DialogButton>
        ) : null,
    },
  ];
  return (
    <section aria-labelledby="blocks-title">
      <Title id="blocks-title" order={2} size="h4">
        Blocked destinations
      </Title>
      <ListTable label="Blocked destinations" list={list} columns={columns} empty="No destination is blocked." />
    </section>
  );
};

const breakGlass = (
  <Button component="a" variant="default" href={buildConsolePath('breakGlass')}>
    Break-glass access
  </Button>
);

/** Emergency controls with their previews, and what they block. */
export const Emergency = ({ session }: { readonly session: Session }): ReactNode => {
  const mayExecute = may(session, 'emergency:execute');
  const { data: controls } = useOperation('listEmergencyControls', {});
  const { announce, announcement } = useAnnouncement();
  const done = (outcome: ControlOutcome): void => {
    announce(outcomeWords(outcome));
    void refreshEmergency();
  };
  return (
    <ConsolePage title="Emergency" actions={breakGlass}>
      {announcement}
      {mayExecute ? <ExecuteControl done={done} /> : <MissingPermission needs="emergency:execute" to="execute emergency controls" />}
      <Blocks mayLift={mayExecute} announce={announce} />
      <section aria-labelledby="controls-title">
        <Title id="controls-title" order={2} size="h4">
          Use and drills
        </Title>
        <Table label="Use and drills" columns={CONTROLS} rows={controls} keyOf={({ control }) => control} empty="No controls." />
      </section>
    </ConsolePage>
  );
};
