/** Makers of heavy trucks, buses, motorcycles and trailers (vPIC). Position 7 says nothing about their model year (49 CFR 565.15). */
const otherMakers: ReadonlySet<string> = new Set(
  `1FU 1FV 1FY 2FU 2FV 3AK 3AL 3AM 4UZ 2FW 2FY 2FZ 49H 2WK 2WL 2WM 5KJ 5KK
  1XK 2XK 1NK 2NK 3WK 3BK 1XP 2XP 1NP 2NP 3BP 1M1 1M2 1M3 VG6 4V1 4V2 4V4 4V5 4V6 4VA 4VD 4VG 4VH 4VJ 4VL 4VM 4VZ
  1HS 1HT 2HS 2HT 3HS 3HT 3HA 1HV 5HT 4DR 4DV 10T 5VC 54D JAL 4KB 4KD 4KL J8B J8C J8D J8T J8Z 5PV JHH JHB 2AY JNA JW6 JL6 JLS
  1F6 1BA 1BD 1T7 1T8 1T9 1M8 2M9 2PC 1B9 5B4 4UU
  1HD 5HD MEG 1HF JH2 3H1 MLH VTM ME4 JYA 5Y4 LPR ML5 JKA JKB JS1 LC6 VTT WB1 WB3 WB4 ZDM ML0 SMT VBK MD2 ME3 56K 5VP 4XA 2BX 3JB ZD4 ZAP ZGU
  RFB RFG LLC LJ4 L5Y
  1GR 1UY 1JJ 1TT 1DW 3H3 1PT 1RN 5V8 527 13N 1E1 2MN 53F 16V 4YM 5NH 4YD 4X4 5ZT 573 47C 4EZ 5SF 1UJ 1NL 58T 48B 5CZ 4J6 40L`.split(
    /\s+/,
  ),
)

/** True if the VIN's manufacturer builds neither cars nor light trucks. */
export const isOtherVehicle = (vin: string): boolean => otherMakers.has(vin.slice(0, 3))
