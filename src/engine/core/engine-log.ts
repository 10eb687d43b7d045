/** Where the engine may log; ids and our own words only (S22). */
export interface EngineLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
