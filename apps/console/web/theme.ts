import { Anchor, createTheme, PasswordInput } from '@mantine/core';

export const THEME = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A link within a text differs from it by more than its colour (WCAG 2.2, 1.4.1).
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // The button that shows a password can be reached by keyboard too (WCAG 2.2, 2.1.1).
    PasswordInput: PasswordInput.extend({ defaultProps: { visibilityToggleFocusable: true } }),
  },
});
