/** The view of a live feed: the part of the organization that the caller may see, and the requested filter. */
export type EventView = {
  readonly organization_id: string;
  /** Null for all of them, as row-level security compares them. */
  readonly workspace_ids: readonly string[] | null;
  readonly environment_id: string | null;
  /** One, or several separated by commas. */
  readonly type?: string | undefined;
  readonly actor_id?: string | undefined;
  readonly subject_id?: string | undefined;
  readonly severity?: string | undefined;
  readonly request_id?: string | undefined;
};

type Event = {
  readonly type: string;
  readonly organization_id: string;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  readonly actor: { readonly id: string };
  readonly subject: { readonly id: string };
  readonly severity: string;
  readonly request_id: string;
};

/** Returns true if an event is within the caller's scope. An event without a scope requires access to the whole organization. */
const liesWithin = (view: EventView, event: Event): boolean =>
  event.organization_id === view.organization_id &&
  (view.workspace_ids === null || (event.workspace_id !== null && view.workspace_ids.includes(event.workspace_id))) &&
  (view.environment_id === null || event.environment_id === view.environment_id);

const fits = (asked: string | undefined, is: string): boolean => asked === undefined || asked === is;

export const fitsView = (view: EventView, event: Event): boolean =>
  liesWithin(view, event) &&
  (view.type === undefined || view.type.split(',').includes(event.type)) &&
  fits(view.severity, event.severity) &&
  fits(view.subject_id, event.subject.id) &&
  fits(view.actor_id, event.actor.id) &&
  fits(view.request_id, event.request_id);
