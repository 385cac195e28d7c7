import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Values in the query of the address, so that a view can be bookmarked and sent. */
export type QueryState<Name extends string> = {
  readonly values: Readonly<Partial<Record<Name, string>>>;
  /** Sets values; an empty one or undefined removes it from the address. */
  readonly set: (values: Readonly<Partial<Record<Name, string | undefined>>>) => void;
  readonly clear: () => void;
};

/** Reads and writes these names in the query of the address. Other names are left as they are. */
export const useQueryState = <Name extends string>(names: readonly Name[]): QueryState<Name> => {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const values = useMemo(() => {
    const query = new URLSearchParams(search);
    return Object.fromEntries(names.flatMap((name) => [[name, query.get(name) ?? '']]).filter(([, value]) => value !== '')) as Partial<
      Record<Name, string>
    >;
  }, [search, names]);
  const set = (next: Readonly<Partial<Record<Name, string | undefined>>>): void => {
    const query = new URLSearchParams(search);
    for (const [name, value] of Object.entries(next) as [Name, string | undefined][]) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    const text = String(query);
    navigate(text === '' ? path : `${path}?${text}`, { replace: true });
  };
  return { values, set, clear: () => set(Object.fromEntries(names.map((name) => [name, ''])) as Partial<Record<Name, string>>) };
};
