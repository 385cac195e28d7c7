import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Checkbox } from '../../design/checkbox.tsx';

/** Types that can be subscribed to, and what each type waits for that the service does not send yet. */
export type Offered = { readonly types: readonly string[]; readonly waiting: Readonly<Record<string, string>> };

type OfferedRead = { readonly offered: Offered | undefined; readonly error: ApiError | null };

/** The event types that webhooks can receive; undefined until they are read. */
export const useOffered = (): OfferedRead => {
  const { data, error } = useOperation('listEventTypes', {});
  return { offered: data && { types: data.webhook_subscribable, waiting: data.waiting }, error };
};

const getArea = (type: string): string => type.slice(0, type.indexOf('.'));
const toPlural = (area: string): string => (area.endsWith('y') ? `${area.slice(0, -1)}ies` : `${area}s`);

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

/** A checkbox per event type, grouped by area; types that are not sent yet come last. */
export const EventTypes = ({ offered: { types, waiting } }: { readonly offered: Offered }): ReactNode => {
  const sent = types.filter((type) => !(type in waiting));
  const waits = types.filter((type) => type in waiting);
  return (
    <>
      {[...new Set(sent.map(getArea))].map((area) => (
        <Boxes key={area} legend={`Events of ${toPlural(area)}`} types={sent.filter((type) => getArea(type) === area)} />
      ))}
      {waits.length === 0 ? null : <Boxes legend="Events that are not sent yet" types={waits} waiting={waiting} />}
    </>
  );
};
