import { type ReactNode, useState } from 'react';
import { CopyGlyph } from './glyphs.tsx';

const SHOWN_END = 6;

const shortId = (id: string): string => {
  const [prefix, rest] = id.split('_');
  return rest === undefined || rest.length <= SHOWN_END ? id : `${prefix}_…${rest.slice(-SHOWN_END)}`;
};

/** A short id with a button that copies the whole one. */
export const Id = ({ id }: { readonly id: string }): ReactNode => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // The clipboard is only there over https and on localhost.
    const [copied] = await Promise.allSettled([Promise.resolve().then(() => navigator.clipboard.writeText(id))]);
    setCopied(copied.status === 'fulfilled');
  };
  return (
    <span className="id-copy">
      <code className="short-id" title={id}>
        {shortId(id)}
      </code>
      <button type="button" className="icon-button" aria-label={`Copy ${id}`} onClick={() => void copy()}>
        <CopyGlyph size={14} />
      </button>
      <span role="status" className="said">
        {isCopied ? 'Copied.' : ''}
      </span>
    </span>
  );
};
