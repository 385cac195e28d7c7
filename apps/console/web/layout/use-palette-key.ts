import { useEffect, useRef } from 'react';

/** Calls the handler of Ctrl-K (Command-K), unless a dialog is open. Works in fields too. */
export const usePaletteKey = (open: () => void): void => {
  const current = useRef(open);
  current.current = open;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isKey || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      current.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
};
