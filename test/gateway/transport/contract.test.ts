import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { transportContract } from "./contract/transport-contract.ts";
import { forwardingWay, gatewayWay, remoteWay } from "./ways.ts";

transportContract(
  "in the process of the core",
  async (services) => ({ transport: createInProcessTransport(services), close: async () => {} }),
  { bidirectional: true, issuesThatFit: 400 },
);
transportContract("of the gRPC port", remoteWay, { bidirectional: true, issuesThatFit: 10 });
transportContract("of the gateway over Connect", gatewayWay("connect"), {
  bidirectional: false,
  issuesThatFit: 400,
});
transportContract("of the gateway over gRPC-Web", gatewayWay("grpc-web"), {
  bidirectional: false,
  issuesThatFit: 400,
});
transportContract("of a gateway apart over Connect", forwardingWay("connect"), {
  bidirectional: false,
  issuesThatFit: 10,
});
transportContract("of a gateway apart over gRPC-Web", forwardingWay("grpc-web"), {
  bidirectional: false,
  issuesThatFit: 10,
});
