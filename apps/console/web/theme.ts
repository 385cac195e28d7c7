import { Anchor, createTheme, PasswordInput } from '@mantine/core';

export const THEME = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A link within a text is told from it by more than its colour (WCAG 2.2, 1.4.1).
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // What shows a password is reached by the keyboard too (WCAG 2.2, 2.1.1).
    PasswordInput: PasswordInput.extend({ defaultProps: { visibilityToggleFocusable: true } }),
  },
});
