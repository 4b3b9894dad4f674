import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { say } from '../messages/say.ts';

const CLOSE = {
  get 'aria-label'() {
    return say('action.close');
  },
};

/** Colours, sizes and shapes. Contrast is at least 4.5:1 in both schemes; targets are at least 24 px. */
export const THEME = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  fontFamily: "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1.05rem' } },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // A menu may hold items only, and the placeholder is not one.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: CLOSE, centered: true } },
    Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    Notification: { defaultProps: { closeButtonProps: CLOSE } },
    Badge: { defaultProps: { tt: 'none' }, styles: { root: { minWidth: 'max-content' } } },
    Code: { styles: { root: { whiteSpace: 'nowrap' } } },
    // A list whose field scrolls out of sight, because a forecast above it grew, would vanish under the pointer.
    Popover: { defaultProps: { hideDetached: false } },
    Select: { defaultProps: { checkIconPosition: 'right' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
});

/** Mantine's faint greys and reds do not reach 4.5:1; these do. */
export const resolveCssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--mantine-color-placeholder': theme.colors.gray[7],
    '--mantine-color-error': theme.colors.red[9],
    '--mantine-color-anchor': theme.colors.indigo[8],
    '--placard-surface': theme.colors.gray[0],
    '--placard-line': theme.colors.gray[3],
    '--placard-row-hover': theme.colors.gray[1],
    '--placard-good': '#1b6e33',
    '--placard-bad': '#b02525',
    '--placard-warn': '#8a4b00',
    '--placard-bar': theme.colors.indigo[7],
    '--placard-row-selected': theme.colors.indigo[0],
    '--placard-stripe-a': '#ffd43b',
    '--placard-stripe-b': '#212529',
  },
  dark: {
    '--mantine-color-dimmed': theme.colors.gray[5],
    '--mantine-color-placeholder': theme.colors.gray[5],
    '--mantine-color-error': theme.colors.red[4],
    '--mantine-color-anchor': theme.colors.indigo[3],
    '--placard-surface': theme.colors.dark[8],
    '--placard-line': theme.colors.dark[4],
    '--placard-row-hover': theme.colors.dark[6],
    '--placard-good': '#69db7c',
    '--placard-bad': '#ff8787',
    '--placard-warn': '#ffc078',
    '--placard-bar': theme.colors.indigo[4],
    '--placard-row-selected': '#232a45',
    '--placard-stripe-a': '#ffd43b',
    '--placard-stripe-b': '#212529',
  },
});
