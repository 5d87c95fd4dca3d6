import { toJson } from "@bufbuild/protobuf";
import {
  type FindAddressesRequest,
  FindAddressesRequestSchema,
  type FindAddressesResponse,
  FindAddressesResponseSchema,
} from "#proto/patientindex/registers/v1/address_registry_service_pb.ts";
import { fault, MpiError } from "../../errors/index.ts";
import { areAddressesAsked } from "../answers/about-question.ts";
import { type AdapterErrors, ofSilence, reporting } from "../exchange/adapter-errors.ts";
import { withSoundValues } from "../exchange/answer-values.ts";
import { NoAnswer } from "../exchange/failures.ts";
import { answerOf } from "../exchange/person-adapter.ts";
import type { XRoadClient } from "../exchange/x-road-client.ts";

/** XR_ADS-001, XR_ADS-100. */
const addressErrors: AdapterErrors = {
  register: "LAND_BOARD_ADS",
  noAnswer: (silence) => fault("XROAD_ADS_INTERNAL_ERROR", {}, ofSilence(silence)),
  refused: ({ code, text }) => fault("XROAD_ADS_EXCHANGE_ERROR", { code, text }),
};

/** The adapter of the address registry: AddressRegistryService on its service. */
export function addressAdapter(client: XRoadClient) {
  return { findAddresses: (request: FindAddressesRequest) => findAddresses(client, request) };
}

async function findAddresses(
  client: XRoadClient,
  request: FindAddressesRequest,
): Promise<FindAddressesResponse> {
  const answer = await reporting(addressErrors, async () => {
    const given = await client.ask({
      service: "addresses",
      body: toJson(FindAddressesRequestSchema, request),
      parse: (json) => answerOf(FindAddressesResponseSchema, json),
    });
    const sound = withSoundValues(FindAddressesResponseSchema, given);
    if (!areAddressesAsked(sound, request)) throw new NoAnswer("garbage");
    return sound;
  });
  const { adrId } = request;
  if (adrId !== "" && answer.addresses.length === 0) {
    throw new MpiError("XROAD_ADS_ADDRESS_NOT_FOUND", { adrId });
  }
  return answer;
}
