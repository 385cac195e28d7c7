import { Checkbox } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../data/call.ts';

type Told = { readonly webhook_subscribable: readonly string[]; readonly waiting: Readonly<Record<string, string>> };

/** Types that can be subscribed to, and what those wait for that nothing writes yet. */
export type Offered = { readonly types: readonly string[]; readonly waiting: Readonly<Record<string, string>> };

export const useOffered = (): Offered | undefined => {
  const [offered, setOffered] = useState<Offered>();
  useEffect(() => {
    void call<Told>('GET', '/v1/meta/event-types').then((answer) =>
      setOffered(answer.ok ? { types: answer.body.webhook_subscribable, waiting: answer.body.waiting } : { types: [], waiting: {} }),
    );
  }, []);
  return offered;
};

const areaOf = (type: string): string => type.slice(0, type.indexOf('.'));
const severalOf = (area: string): string => (area.endsWith('y') ? `${area.slice(0, -1)}ies` : `${area}s`);

type BoxesProps = { readonly legend: string; readonly types: readonly string[]; readonly waiting?: Offered['waiting'] };

const Boxes = ({ legend, types, waiting = {} }: BoxesProps): ReactNode => (
  <fieldset className="boxes">
    <legend>{legend}</legend>
    <div className="columns">
      {types.map((type) => (
        <Checkbox
          key={type}
          name="event_types"
          value={type}
          label={type}
          {...(waiting[type] === undefined ? {} : { description: `Not sent yet: waits for ${waiting[type]}.` })}
        />
      ))}
    </div>
  </fieldset>
);

/** Each type with a box to tick, under what it is about; those that wait for something come last. */
export const EventTypes = ({ offered: { types, waiting } }: { readonly offered: Offered }): ReactNode => {
  const sent = types.filter((type) => !(type in waiting));
  const waits = types.filter((type) => type in waiting);
  return (
    <>
      {[...new Set(sent.map(areaOf))].map((area) => (
        <Boxes key={area} legend={`Events of ${severalOf(area)}`} types={sent.filter((type) => areaOf(type) === area)} />
      ))}
      {waits.length === 0 ? null : <Boxes legend="Events that are not sent yet" types={waits} waiting={waiting} />}
    </>
  );
};
