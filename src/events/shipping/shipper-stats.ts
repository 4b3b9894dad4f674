/** Figures of a shipper, for metrics. */
export interface ShipperStats {
  readonly shippedRows: number;
  readonly shippedBatches: number;
  readonly duplicateRows: number;
  readonly rejectedRows: number;
  readonly failures: number;
}
