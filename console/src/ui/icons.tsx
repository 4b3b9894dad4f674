const PATHS = {
  chart: 'M4 19V5m0 14h16M8 15l3-4 3 2 5-7',
  key: 'M15 7a4 4 0 1 1-3.5 6L7 17.5V20H4v-3l6.6-6.6A4 4 0 0 1 15 7Zm1 3.5h.01',
  users: 'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 8a6 6 0 0 1 12 0M16 5.3a3 3 0 0 1 0 5.4M18 14a6 6 0 0 1 3 5',
  agent: 'M6 9h12v10H6zM12 9V5M10 5h4M9.5 13v2m5-2v2M3 13v3m18-3v3',
  site: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-9 9h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  limits: 'M4 18a8.5 8.5 0 1 1 16 0M12 14l4-4',
  audit: 'M7 3h8l4 4v14H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm2 8h6m-6 4h6',
  session: 'M4 5h16v11H4zM9 20h6',
  credential: 'M6 10V8a6 6 0 1 1 12 0v2M5 10h14v10H5zM12 14v2',
  dashboard: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 4 4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  left: 'M15 6l-6 6 6 6',
  right: 'M9 6l6 6-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11m-4-4 4 4 4-4M5 20h14',
  share: 'M10 13a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.6-5.6L12 6m2 5a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.6 5.6L12 18',
  save: 'M6 4h12v16l-6-4-6 4V4Z',
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l2 2H4l2-2Zm4 4a2 2 0 0 0 4 0',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8a7 7 0 0 1 14 0',
  check: 'M5 12l5 5L20 7',
  today: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 4v4l3 2',
  campaign: 'M4 10v4h3l8 5V5l-8 5H4Zm14-1a4 4 0 0 1 0 6',
  cluster: 'M5 4h14v6H5zM5 14h14v6H5zM8 7h.01M8 17h.01',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5l12 7-12 7V5Z',
  picture: 'M4 5h16v14H4zM8 11a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm-4 6 5-5 4 4 3-3 4 4',
  deal: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm3.5 5.5-7 7M9 9.2h.01M15 14.8h.01',
  product: 'M4 8l8-4 8 4v8l-8 4-8-4V8Zm0 0 8 4 8-4m-8 4v8',
  unit: 'M4 5h16v14H4zM8 9h8v6H8z',
  floor: 'M4 19h16M6 15h12M12 4v8m-3-3 3 3 3-3',
  area: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M9 9h6v6H9z',
  calendar: 'M4 6h16v14H4zM4 11h16M8 3v5m8-5v5M8 15h4',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  flag: 'M6 21V4h12l-3 4.5 3 4.5H6',
  flask: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 15h8',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  field: 'M3 7h18v10H3zM7 10v4',
  network: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3m-3 4h3m-3 4h3',
  overlap: 'M9 6a6 6 0 1 0 0 12A6 6 0 0 0 9 6Zm6 0a6 6 0 1 1 0 12 6 6 0 0 1 0-12Z',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  target: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 5a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0 4h.01',
  team: 'M12 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-6 11a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm12 0a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10.8 9.2 7.2 15m6-5.8 3.6 5.8',
  tree: 'M4 4h6v5H4zM14 9h6v5h-6zM14 17h6v4h-6zM7 9v10h7M7 12h7',
  label: 'M4 5h8l8 8-7 7-9-9V5Zm4 4h.01',
  table: 'M4 5h16v14H4zM4 10h16M10 5v14',
  widen: 'M9 7l-5 5 5 5M15 7l5 5-5 5M4 12h16',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  corner: 'M20 10 10 20M20 16l-4 4',
  narrow: 'M4 7l5 5-5 5M20 7l-5 5 5 5',
  webhook: 'M7 20a3 3 0 1 1 2.6-4.5H17M12 5a3 3 0 1 1 2 2.8L10.5 14M17 17a2.5 2.5 0 1 1-1 4.6',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8m0 3h.01',
  settings: 'M4 7h10m4 0h2M4 17h2m4 0h10M14 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0ZM6 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0Z',
} as const;

/** The names of the drawings. */
export type IconName = keyof typeof PATHS;

/** A drawing that goes with a text; never the only name of anything. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
