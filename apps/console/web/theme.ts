import { Anchor, createTheme } from '@mantine/core';

export const THEME = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  // A link within a text is told from it by more than its colour (WCAG 2.2, 1.4.1).
  components: { Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }) },
});
