import type { ReactNode } from 'react';

type GlyphProps = { readonly size: number; readonly strokeWidth?: number };

const newGlyph =
  (path: string) =>
  ({ size, strokeWidth = 2 }: GlyphProps): ReactNode => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={path} />
    </svg>
  );

/** The icons of the layout, without the library of icons, which is loaded after the first page. Decoration only. */
export const CloseGlyph = newGlyph('M6 6l12 12M18 6L6 18');
export const MenuGlyph = newGlyph('M4 6h16M4 12h16M4 18h16');
export const PanelGlyph = newGlyph('M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM9 4v16');
export const SearchGlyph = newGlyph('M17 11a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM20 20l-4.5-4.5');
export const CheckGlyph = newGlyph('M20 6 9 17l-5-5');
export const ClockGlyph = newGlyph('M12 3a9 9 0 1 0 .01 0zM12 7v5l3 2');
export const GaugeGlyph = newGlyph('M12 14l4-4M3.5 19a9.5 9.5 0 1 1 17 0');
export const HiddenGlyph = newGlyph(
  'M3 3l18 18M10 5.2A10 10 0 0 1 22 12a14 14 0 0 1-2.5 3.4M6.5 6.6A14 14 0 0 0 2 12a10.5 10.5 0 0 0 15 5.5',
);
export const HelpGlyph = newGlyph('M12 3a9 9 0 1 0 .01 0zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M12 16.5v.01');
export const MinusGlyph = newGlyph('M5 12h14');
export const CopyGlyph = newGlyph('M9 9h11v11H9zM5 15H4V4h11v1');
export const AlertGlyph = newGlyph('M12 4 2.5 20h19zM12 10v4M12 17v.01');
