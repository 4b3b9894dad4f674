/** Whether files may be counted, and shipped, now. */
export interface ShippingGate {
  mayCount(): boolean;
  mayShip(): boolean;
}
