/** How much somebody wants to hear: the levels of log messages, from the most talkative on. Pure. */
import { isRecord, META } from "../wire/index.ts";

export const LOG_METHOD = "notifications/message";
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const isLogLevel = (value: unknown): value is LogLevel => LOG_LEVELS.includes(value as LogLevel);
export const rankOf = (level: LogLevel): number => LOG_LEVELS.indexOf(level);

/** What a request of the modern era says that it wants to hear. */
export function levelIn({ _meta }: Readonly<Record<string, unknown>>): LogLevel | undefined {
  const level = isRecord(_meta) ? _meta[META.logLevel] : undefined;
  return isLogLevel(level) ? level : undefined;
}
