import { useEffect, useRef } from 'react';

const CHORD_MS = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Calls the handler of a key, or of two keys one after the other (`g a`), unless the person types into a field or a dialog is open. */
export const useChords = (handlers: Readonly<Record<string, () => void>>): void => {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const chord = first !== undefined && event.timeStamp - first.at < CHORD_MS ? `${first.key} ${event.key}` : event.key;
      first = { key: event.key, at: event.timeStamp };
      const handler = current.current[chord] ?? current.current[event.key];
      if (handler === undefined) return;
      first = undefined;
      event.preventDefault();
      handler();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
};
