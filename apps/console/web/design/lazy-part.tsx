import { ServiceError } from '@svc/client/errors.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { Problem } from './problem.tsx';
import { Skeleton } from './skeleton.tsx';

type Part<Props> = (props: Props) => ReactNode;

/** The script of a part, and the part as soon as it was loaded once. */
type Source<Props> = { readonly load: () => Promise<Part<Props>>; loaded: Part<Props> | undefined };

const NOT_LOADED = new ServiceError({
  code: 'NOT_LOADED',
  message: 'This part of the page did not load.',
  remedy: 'Reload the page; the service may have been updated meanwhile.',
});

/** Loads a part with the theme of its inputs. */
const loadWithInputs = async <Props extends object>(load: () => Promise<Part<Props>>): Promise<Part<Props>> => {
  const [Content, { withInputs }] = await Promise.all([load(), import('./inputs-root.tsx')]);
  return withInputs(Content);
};

type LazyProps<Props> = { readonly source: Source<Props>; readonly props: Props; readonly lines: number };

const Lazy = <Props extends object>({ source, props, lines }: LazyProps<Props>): ReactNode => {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(source.loaded === undefined ? 'loading' : 'loaded');
  useEffect(() => {
    if (source.loaded !== undefined) return;
    source.load().then(
      (Content) => {
        source.loaded = Content;
        setState('loaded');
      },
      () => setState('failed'),
    );
  }, [source]);
  const Content = source.loaded;
  if (Content !== undefined) return <Content {...props} />;
  return state === 'failed' ? <Problem error={NOT_LOADED} /> : <Skeleton lines={lines} />;
};

type LazyOptions = { readonly lines?: number; readonly hasInputs?: boolean };

/** Returns a component whose script is loaded when it is first shown, for dialogs and parts that most visits do not open. */
export const lazyPart = <Props extends object>(
  load: () => Promise<Part<Props>>,
  { lines = 4, hasInputs = false }: LazyOptions = {},
): Part<Props> => {
  const source: Source<Props> = { load: hasInputs ? () => loadWithInputs(load) : load, loaded: undefined };
  return (props) => <Lazy source={source} props={props} lines={lines} />;
};
