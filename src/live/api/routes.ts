import type { Route } from "./api.ts";
import { actRoutes } from "./act-routes.ts";
import { farmRoutes } from "./farm-routes.ts";
import { fileRoutes } from "./file-routes.ts";
import { forecastRoutes } from "./forecast-routes.ts";
import { jobRoutes } from "./job-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { machineRoutes } from "./machine-routes.ts";
import { reservationRoutes } from "./reservation-routes.ts";
import { selectionRoutes } from "./selection-routes.ts";
import { tokenRoutes } from "./token-routes.ts";
import { trialRoutes } from "./trial-routes.ts";
import { usageRoutes } from "./usage-routes.ts";
import { whyRoutes } from "./why-routes.ts";

/** All that a client can ask for, and who may. To add one: an entry in one of these lists. */
export const routes: readonly Route[] = [
  ...jobRoutes,
  ...whyRoutes,
  ...forecastRoutes,
  ...trialRoutes,
  ...actRoutes,
  ...listRoutes,
  ...selectionRoutes,
  ...farmRoutes,
  ...machineRoutes,
  ...reservationRoutes,
  ...usageRoutes,
  ...tokenRoutes,
  ...fileRoutes,
];
